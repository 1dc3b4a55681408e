#include "support/power_cut_file_system.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace drover::test {

namespace fs = std::filesystem;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

namespace {

constexpr std::uint64_t page_bytes = 4096;

std::string plain(const std::string& path) {
  auto text = fs::path{path}.lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

std::string folder_of(const std::string& path) { return fs::path{path}.parent_path().string(); }

}  // namespace

class TrackedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  TrackedFile(std::unique_ptr<rocksdb::FSWritableFile> target, PowerCutFileSystem& system,
              std::shared_ptr<PowerCutFileSystem::File> file)
      : FSWritableFileOwnerWrapper(std::move(target)), system_(system), file_(std::move(file)) {}

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, IODebugContext* debug) override {
    const std::lock_guard lock{system_.mutex_};
    if (auto status = begin_append(data.size()); !status.ok()) return status;
    return end_append(data.size(), target()->Append(data, options, debug));
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus PositionedAppend(const rocksdb::Slice&, std::uint64_t, const IOOptions&, IODebugContext*) override {
    return IOStatus::NotSupported("positioned append");
  }
  IOStatus PositionedAppend(const rocksdb::Slice&, std::uint64_t, const IOOptions&,
                            const rocksdb::DataVerificationInfo&, IODebugContext*) override {
    return IOStatus::NotSupported("positioned append");
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    const std::lock_guard lock{system_.mutex_};
    if (auto status = system_.count_operation(); !status.ok()) return status;
    file_->size = size;
    file_->synced = std::min(file_->synced, size);
    return target()->Truncate(size, options, debug);
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return sync(); }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return sync(); }
  IOStatus RangeSync(std::uint64_t, std::uint64_t, const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }

 private:
  IOStatus begin_append(std::uint64_t bytes) {
    if (auto status = system_.count_operation(); !status.ok()) return status;
    return system_.take_space(bytes);
  }
  IOStatus end_append(std::uint64_t bytes, IOStatus status) {
    if (status.ok()) file_->size += bytes;
    return status;
  }
  IOStatus sync() {
    const std::lock_guard lock{system_.mutex_};
    if (auto status = system_.count_operation(); !status.ok()) return status;
    file_->synced = file_->size;
    return IOStatus::OK();
  }

  PowerCutFileSystem& system_;
  std::shared_ptr<PowerCutFileSystem::File> file_;
};

class TrackedDirectory final : public rocksdb::FSDirectory {
 public:
  TrackedDirectory(PowerCutFileSystem& system, std::string path) : system_(system), path_(std::move(path)) {}

  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    const std::lock_guard lock{system_.mutex_};
    if (auto status = system_.count_operation(); !status.ok()) return status;
    system_.forget_changes(path_);
    return IOStatus::OK();
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  std::size_t GetUniqueId(char*, std::size_t) const override { return 0; }

 private:
  PowerCutFileSystem& system_;
  std::string path_;
};

PowerCutFileSystem::PowerCutFileSystem(std::string root)
    : FileSystemWrapper(rocksdb::FileSystem::Default()), root_(plain(root)), kept_folder_(root_ + ".kept") {
  fs::create_directories(kept_folder_);
}

PowerCutFileSystem::~PowerCutFileSystem() {
  std::error_code ignored;
  fs::remove_all(kept_folder_, ignored);
}

void PowerCutFileSystem::cut_after(std::uint64_t operations) {
  const std::lock_guard lock{mutex_};
  cut_at_ = operations_ + operations;
}

bool PowerCutFileSystem::is_cut() const {
  const std::lock_guard lock{mutex_};
  return cut_at_ && operations_ >= *cut_at_;
}

std::uint64_t PowerCutFileSystem::operations() const {
  const std::lock_guard lock{mutex_};
  return operations_;
}

void PowerCutFileSystem::limit_space(std::uint64_t bytes) {
  const std::lock_guard lock{mutex_};
  space_ = bytes;
}

void PowerCutFileSystem::lift_space_limit() {
  const std::lock_guard lock{mutex_};
  space_.reset();
}

IOStatus PowerCutFileSystem::count_operation() {
  if (cut_at_ && operations_ >= *cut_at_) return IOStatus::IOError("the power is cut");
  ++operations_;
  return IOStatus::OK();
}

IOStatus PowerCutFileSystem::take_space(std::uint64_t bytes) {
  if (!space_) return IOStatus::OK();
  if (*space_ < bytes) return IOStatus::NoSpace("the disk is full");
  *space_ -= bytes;
  return IOStatus::OK();
}

// RocksDB's own log and its lock are no data.
bool PowerCutFileSystem::tracks(const std::string& path) const {
  if (!path.starts_with(root_)) return false;
  const auto name = fs::path{path}.filename().string();
  return !name.starts_with("LOG") && name != "LOCK";
}

std::string PowerCutFileSystem::keep(const std::string& path) {
  auto kept = kept_folder_ + "/" + std::to_string(kept_count_++);
  fs::create_hard_link(path, kept);
  return kept;
}

void PowerCutFileSystem::forget_changes(const std::string& folder) {
  const auto found = changes_.find(folder);
  if (found == changes_.end()) return;
  for (const auto& change : found->second) {
    if (!change.kept.empty()) fs::remove(change.kept);
  }
  changes_.erase(found);
}

IOStatus PowerCutFileSystem::NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                             std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* debug) {
  const auto path = plain(name);
  const std::lock_guard lock{mutex_};
  if (!tracks(path)) return target()->NewWritableFile(name, options, result, debug);
  if (auto status = count_operation(); !status.ok()) return status;
  if (fs::exists(path)) {
    // Under a second name the old content outlives being written over.
    changes_[folder_of(path)].push_back({Change::removed, path, "", keep(path), files_[path]});
    fs::remove(path);
  }
  std::unique_ptr<rocksdb::FSWritableFile> file;
  if (auto status = target()->NewWritableFile(name, options, &file, debug); !status.ok()) return status;
  auto state = std::make_shared<File>();
  files_[path] = state;
  changes_[folder_of(path)].push_back({Change::created, path, "", "", nullptr});
  *result = std::make_unique<TrackedFile>(std::move(file), *this, std::move(state));
  return IOStatus::OK();
}

IOStatus PowerCutFileSystem::ReopenWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                                std::unique_ptr<rocksdb::FSWritableFile>* result,
                                                IODebugContext* debug) {
  const auto path = plain(name);
  const std::lock_guard lock{mutex_};
  if (!tracks(path)) return target()->ReopenWritableFile(name, options, result, debug);
  if (auto status = count_operation(); !status.ok()) return status;
  const bool existed = fs::exists(path);
  std::unique_ptr<rocksdb::FSWritableFile> file;
  if (auto status = target()->ReopenWritableFile(name, options, &file, debug); !status.ok()) return status;
  auto& state = files_[path];
  if (!state) {
    state = std::make_shared<File>();
    state->size = state->synced = fs::file_size(path);
  }
  if (!existed) changes_[folder_of(path)].push_back({Change::created, path, "", "", nullptr});
  *result = std::make_unique<TrackedFile>(std::move(file), *this, state);
  return IOStatus::OK();
}

IOStatus PowerCutFileSystem::ReuseWritableFile(const std::string&, const std::string&, const rocksdb::FileOptions&,
                                               std::unique_ptr<rocksdb::FSWritableFile>*, IODebugContext*) {
  return IOStatus::NotSupported("using a file again");
}

IOStatus PowerCutFileSystem::NewRandomRWFile(const std::string&, const rocksdb::FileOptions&,
                                             std::unique_ptr<rocksdb::FSRandomRWFile>*, IODebugContext*) {
  return IOStatus::NotSupported("writing within a file");
}

IOStatus PowerCutFileSystem::NewDirectory(const std::string& path, const IOOptions& options,
                                          std::unique_ptr<rocksdb::FSDirectory>* result, IODebugContext* debug) {
  std::unique_ptr<rocksdb::FSDirectory> checked;
  if (auto status = target()->NewDirectory(path, options, &checked, debug); !status.ok()) return status;
  *result = std::make_unique<TrackedDirectory>(*this, plain(path));
  return IOStatus::OK();
}

IOStatus PowerCutFileSystem::DeleteFile(const std::string& name, const IOOptions& options, IODebugContext* debug) {
  const auto path = plain(name);
  const std::lock_guard lock{mutex_};
  if (!tracks(path)) return target()->DeleteFile(name, options, debug);
  if (auto status = count_operation(); !status.ok()) return status;
  if (!fs::exists(path)) return target()->DeleteFile(name, options, debug);
  changes_[folder_of(path)].push_back({Change::removed, path, "", keep(path), files_[path]});
  files_.erase(path);
  return target()->DeleteFile(name, options, debug);
}

IOStatus PowerCutFileSystem::RenameFile(const std::string& from_name, const std::string& to_name,
                                        const IOOptions& options, IODebugContext* debug) {
  const auto from = plain(from_name);
  const auto to = plain(to_name);
  const std::lock_guard lock{mutex_};
  if (!tracks(from) || !tracks(to)) return target()->RenameFile(from_name, to_name, options, debug);
  if (auto status = count_operation(); !status.ok()) return status;
  if (!fs::exists(from)) return target()->RenameFile(from_name, to_name, options, debug);
  FolderChange change{Change::renamed, from, to, "", nullptr};
  if (fs::exists(to)) {
    change.kept = keep(to);
    change.lost = files_[to];
  }
  files_[to] = files_[from];
  files_.erase(from);
  changes_[folder_of(to)].push_back(std::move(change));
  return target()->RenameFile(from_name, to_name, options, debug);
}

IOStatus PowerCutFileSystem::LinkFile(const std::string&, const std::string&, const IOOptions&, IODebugContext*) {
  return IOStatus::NotSupported("links");
}

IOStatus PowerCutFileSystem::Truncate(const std::string&, std::size_t, const IOOptions&, IODebugContext*) {
  return IOStatus::NotSupported("truncating by name");
}

IOStatus PowerCutFileSystem::CreateDir(const std::string& name, const IOOptions& options, IODebugContext* debug) {
  const auto path = plain(name);
  const std::lock_guard lock{mutex_};
  if (auto status = count_operation(); !status.ok()) return status;
  if (tracks(path) && !fs::exists(path)) {
    changes_[folder_of(path)].push_back({Change::created, path, "", "", nullptr});
  }
  return target()->CreateDir(name, options, debug);
}

IOStatus PowerCutFileSystem::CreateDirIfMissing(const std::string& name, const IOOptions& options,
                                                IODebugContext* debug) {
  if (fs::is_directory(name)) return IOStatus::OK();
  return CreateDir(name, options, debug);
}

IOStatus PowerCutFileSystem::GetFreeSpace(const std::string& path, const IOOptions& options, std::uint64_t* free,
                                          IODebugContext* debug) {
  const std::lock_guard lock{mutex_};
  if (!space_) return target()->GetFreeSpace(path, options, free, debug);
  *free = *space_;
  return IOStatus::OK();
}

void PowerCutFileSystem::undo(const FolderChange& change) {
  switch (change.change) {
    case Change::created:
      fs::remove_all(change.path);
      files_.erase(change.path);
      return;
    case Change::removed:
      fs::rename(change.kept, change.path);
      files_[change.path] = change.lost;
      return;
    case Change::renamed:
      fs::rename(change.to, change.path);
      files_[change.path] = files_[change.to];
      files_.erase(change.to);
      if (!change.kept.empty()) {
        fs::rename(change.kept, change.to);
        files_[change.to] = change.lost;
      }
      return;
  }
}

void PowerCutFileSystem::damage(const std::string& path, const File& file, Random& random) const {
  const auto unsynced = file.size - file.synced;
  const auto drawn = file.synced + random.below(unsynced);
  // Only of its write-ahead logs does RocksDB promise to read up to what is damaged.
  switch (random.below(path.ends_with(".log") ? 4 : 2)) {
    case 0:
      fs::resize_file(path, file.synced);
      return;
    case 1:
      fs::resize_file(path, drawn);
      return;
    case 2:
      fs::resize_file(path, drawn);
      fs::resize_file(path, file.size);
      return;
    default: {
      // One page that never reached the disk, before others that did.
      const auto end = std::min(file.size, (drawn / page_bytes + 1) * page_bytes);
      std::fstream stream{path, std::ios::in | std::ios::out | std::ios::binary};
      stream.seekp(static_cast<std::streamoff>(drawn));
      stream << std::string(end - drawn, '\0');
    }
  }
}

void PowerCutFileSystem::lose_unsynced(Random& random) {
  const std::lock_guard lock{mutex_};
  for (auto& [folder, changes] : changes_) {
    const auto stay = random.chance(0.5) ? 0 : random.below(changes.size() + 1);
    while (changes.size() > stay) {
      undo(changes.back());
      changes.pop_back();
    }
  }
  changes_.clear();
  for (const auto& [path, file] : files_) {
    if (file && file->size > file->synced && fs::exists(path)) damage(path, *file, random);
  }
}

}  // namespace drover::test
