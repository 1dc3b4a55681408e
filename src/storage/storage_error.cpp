#include "storage/storage_error.hpp"

namespace drover::storage {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// RocksDB has no status code for a lock that is held; these are the texts of its
// POSIX file system, for another process and for this one.
bool is_lock_held(const rocksdb::Status& status, std::string_view text) {
  return status.IsIOError() && (contains(text, "While lock file") || contains(text, "lock hold by current process"));
}

bool is_permission(std::string_view text) {
  return contains(text, "Permission denied") || contains(text, "Read-only file system") ||
         contains(text, "Operation not permitted");
}

}  // namespace

Error storage_error(const rocksdb::Status& status, std::string_view doing, const std::string& path,
                    std::string_view holder) {
  const std::string text = status.ToString();
  const std::string where = std::string{doing} + " the journal in " + path;
  if (status.IsNoSpace() || contains(text, "No space left") || contains(text, "Disk quota exceeded")) {
    return {Errc::disk_full, where + " failed: the disk has no room", "make room on that disk or name another folder"};
  }
  if (is_lock_held(status, text)) {
    const std::string by = holder.empty() ? "another process" : std::string{holder};
    return {Errc::journal_locked, "The journal in " + path + " is held for writing by " + by,
            "wait until that process has ended, or name another folder"};
  }
  if (is_permission(text)) {
    return {Errc::storage_failed, where + " is not permitted: " + text,
            "give this user the right to write there, or name another folder"};
  }
  if (status.IsCorruption()) {
    return {Errc::storage_failed, where + " found damaged files: " + text,
            "restore a backup of the folder, or name another folder"};
  }
  return {Errc::storage_failed, where + " failed: " + text, "look at the disk and the rights of that folder"};
}

}  // namespace drover::storage
