#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/random.hpp"

namespace drover::test {

/// A file system that can lose power and run out of room. It works on the real
/// one below `root` and keeps book of what was never synced: the ends of files,
/// and the creations, renames and removals of a folder. After a cut every call
/// fails; lose_unsynced() then does to the folder what a cut may do. Syncs are
/// counted and not passed on, so that hundreds of cuts take seconds. Thread-safe.
class PowerCutFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit PowerCutFileSystem(std::string root);
  ~PowerCutFileSystem() override;

  const char* Name() const override { return "PowerCutFileSystem"; }

  /// The power goes when this many more changing calls were carried out.
  void cut_after(std::uint64_t operations);
  void cut() { cut_after(0); }
  [[nodiscard]] bool is_cut() const;
  /// How many changing calls were carried out.
  [[nodiscard]] std::uint64_t operations() const;

  /// The files may grow by this much altogether; then writing fails with NoSpace.
  void limit_space(std::uint64_t bytes);
  void lift_space_limit();

  /// Leaves below `root` what is there after the power came back. Of each folder,
  /// the changes since its last sync are undone from the last on, down to a drawn
  /// one. Of each file, what was appended since its last sync is gone or cut at a
  /// drawn byte; a write-ahead log may instead have zeros in it, as file systems
  /// leave it whose blocks were allocated and not written. To be called when nobody
  /// uses the files any more.
  void lose_unsynced(Random& random);

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* result,
                                       rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReuseWritableFile(const std::string& path, const std::string& old_path,
                                      const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSWritableFile>* result,
                                      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomRWFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSRandomRWFile>* result,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* result,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Truncate(const std::string& path, std::size_t size, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDir(const std::string& path, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDirIfMissing(const std::string& path, const rocksdb::IOOptions& options,
                                       rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFreeSpace(const std::string& path, const rocksdb::IOOptions& options, std::uint64_t* free,
                                 rocksdb::IODebugContext* debug) override;

 private:
  friend class TrackedFile;
  friend class TrackedDirectory;

  struct File {
    std::uint64_t size = 0;
    std::uint64_t synced = 0;
  };
  enum class Change : std::uint8_t { created, removed, renamed };
  /// A change of a folder that was not synced yet. `kept` is a second name, outside
  /// of `root`, of what the change took away.
  struct FolderChange {
    Change change = Change::created;
    std::string path;
    std::string to;
    std::string kept;
    std::shared_ptr<File> lost;
  };

  // All of these with mutex_ held.
  rocksdb::IOStatus count_operation();
  rocksdb::IOStatus take_space(std::uint64_t bytes);
  bool tracks(const std::string& path) const;
  std::string keep(const std::string& path);
  void forget_changes(const std::string& folder);
  void undo(const FolderChange& change);
  void damage(const std::string& path, const File& file, Random& random) const;

  const std::string root_;
  const std::string kept_folder_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<File>> files_;
  std::map<std::string, std::vector<FolderChange>> changes_;
  std::uint64_t operations_ = 0;
  std::optional<std::uint64_t> cut_at_;
  std::optional<std::uint64_t> space_;
  std::uint64_t kept_count_ = 0;
};

}  // namespace drover::test
