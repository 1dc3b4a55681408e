#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <memory>
#include <string>

namespace drover::test {

/// The disk without the waiting for it: syncs are not passed on. For tests that
/// are not about what survives.
class UnsyncedDisk final : public rocksdb::FileSystemWrapper {
 public:
  UnsyncedDisk() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "UnsyncedDisk"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    if (auto status = target()->NewWritableFile(path, options, &file, debug); !status.ok()) return status;
    *result = std::make_unique<File>(std::move(file));
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus NewDirectory(const std::string&, const rocksdb::IOOptions&,
                                 std::unique_ptr<rocksdb::FSDirectory>* result, rocksdb::IODebugContext*) override {
    *result = std::make_unique<Directory>();
    return rocksdb::IOStatus::OK();
  }

 private:
  class File final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;
    rocksdb::IOStatus Sync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
      return rocksdb::IOStatus::OK();
    }
    rocksdb::IOStatus Fsync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
      return rocksdb::IOStatus::OK();
    }
    rocksdb::IOStatus RangeSync(std::uint64_t, std::uint64_t, const rocksdb::IOOptions&,
                                rocksdb::IODebugContext*) override {
      return rocksdb::IOStatus::OK();
    }
  };
  class Directory final : public rocksdb::FSDirectory {
   public:
    rocksdb::IOStatus Fsync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
      return rocksdb::IOStatus::OK();
    }
    rocksdb::IOStatus Close(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
      return rocksdb::IOStatus::OK();
    }
    std::size_t GetUniqueId(char*, std::size_t) const override { return 0; }
  };
};

/// One for the whole program.
inline rocksdb::Env* unsynced_disk() {
  static const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(std::make_shared<UnsyncedDisk>());
  return env.get();
}

}  // namespace drover::test
