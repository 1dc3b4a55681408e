#include "storage/journal_folder.hpp"

#include <rocksdb/env.h>

#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "storage/storage_error.hpp"
#include "storage/writer_mark.hpp"

namespace drover::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t least_free_bytes = 8u << 20;

bool is_of_rocksdb(const fs::directory_entry& entry) {
  const auto name = entry.path().filename().string();
  for (const std::string_view exact : {"CURRENT", "IDENTITY", "LOCK", writer_mark_name}) {
    if (name == exact) return true;
  }
  for (const std::string_view beginning : {"MANIFEST-", "OPTIONS-", "LOG"}) {
    if (name.starts_with(beginning)) return true;
  }
  for (const std::string_view end : {".log", ".sst", ".blob", ".dbtmp"}) {
    if (name.ends_with(end)) return true;
  }
  return false;
}

// Neither is there before CURRENT is when a journal is made. RocksDB would begin
// anew beside them, and delete them.
bool holds_records(const fs::directory_entry& entry) {
  const auto name = entry.path().filename().string();
  std::error_code ignored;
  return name.ends_with(".sst") || name.ends_with(".blob") || (name.ends_with(".log") && entry.file_size(ignored) > 0);
}

Error unreadable(const std::string& path, const std::error_code& code) {
  return {Errc::storage_failed, "The journal's folder " + path + " can't be read: " + code.message(),
          "give this user the right to read it, or name another folder"};
}

}  // namespace

Result<FolderContent> look_at_folder(const std::string& path) {
  if (path.empty()) return Error{Errc::invalid_configuration, "The journal's folder has no name", "name one"};
  std::error_code code;
  const auto status = fs::status(path, code);
  if (status.type() == fs::file_type::not_found) return FolderContent::nothing;
  if (code) return unreadable(path, code);
  if (status.type() != fs::file_type::directory) {
    return Error{Errc::invalid_configuration, "The journal's folder " + path + " is a file", "name a folder"};
  }
  if (fs::exists(fs::path{path} / "CURRENT", code)) return FolderContent::journal;
  for (fs::directory_iterator entry{path, code}, end; !code && entry != end; entry.increment(code)) {
    if (holds_records(*entry)) {
      return Error{Errc::storage_failed, "The journal in " + path + " lacks its file CURRENT",
                   "restore a backup of the folder, or name another one"};
    }
    if (is_of_rocksdb(*entry)) continue;
    return Error{Errc::invalid_configuration,
                 "The folder " + path + " holds other things and no journal: " + entry->path().filename().string(),
                 "name an empty or a new folder"};
  }
  if (code) return unreadable(path, code);
  return FolderContent::nothing;
}

Status check_room(rocksdb::Env& env, const std::string& path) {
  std::error_code code;
  auto there = fs::absolute(path, code).lexically_normal();
  while (!code && !fs::exists(there, code) && there.has_relative_path()) there = there.parent_path();
  // What has no room at all is no disk: making the folder says what it is.
  if (const auto space = fs::space(there, code); !code && space.capacity == 0) return Done{};
  std::uint64_t free = 0;
  if (!env.GetFreeSpace(there.string(), &free).ok() || free >= least_free_bytes) return Done{};
  return Error{Errc::disk_full,
               "The disk of the journal in " + path + " has " + std::to_string(free >> 10) + " KiB free, below the " +
                   std::to_string(least_free_bytes >> 20) + " MiB that a journal needs",
               "make room on that disk or name another folder"};
}

Status make_folder(rocksdb::Env& env, const std::string& path) {
  std::error_code code;
  auto folder = fs::absolute(path, code).lexically_normal();
  if (code) return unreadable(path, code);
  if (folder.filename().empty()) folder = folder.parent_path();
  if (fs::is_directory(folder, code)) return Done{};
  if (folder.has_parent_path() && folder != folder.parent_path()) {
    if (auto above = make_folder(env, folder.parent_path().string()); !above.ok()) return above;
  }
  auto status = env.CreateDirIfMissing(folder.string());
  if (!status.ok()) return storage_error(status, "Making", path);
  std::unique_ptr<rocksdb::Directory> parent;
  status = env.NewDirectory(folder.parent_path().string(), &parent);
  if (status.ok()) status = parent->Fsync();
  if (!status.ok()) return storage_error(status, "Making", path);
  return Done{};
}

}  // namespace drover::storage
