#pragma once

#include <rocksdb/db.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "storage/column_families.hpp"
#include "storage/unsynced_disk.hpp"

namespace drover::test {

/// A journal's database without the journal: for what another version may have
/// written. Has every family of this version and those named.
class RawDatabase {
 public:
  explicit RawDatabase(const std::string& path, std::vector<std::string> further = {}) {
    rocksdb::DBOptions options;
    options.create_if_missing = true;
    options.create_missing_column_families = true;
    options.env = unsynced_disk();
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    for (const auto name : storage::family_names()) further.emplace_back(name);
    for (const auto& name : further) families.emplace_back(name, rocksdb::ColumnFamilyOptions{});
    rocksdb::DB* db = nullptr;
    REQUIRE(rocksdb::DB::Open(options, path, families, &handles_, &db).ok());
    db_.reset(db);
  }
  ~RawDatabase() {
    for (auto* handle : handles_) db_->DestroyColumnFamilyHandle(handle);
  }
  RawDatabase(const RawDatabase&) = delete;
  RawDatabase& operator=(const RawDatabase&) = delete;

  void put(const std::string& family, const std::string& key, const std::string& value) {
    REQUIRE(db_->Put({}, handle(family), key, value).ok());
  }
  void remove(const std::string& family, const std::string& key) { REQUIRE(db_->Delete({}, handle(family), key).ok()); }
  void drop(const std::string& family) { REQUIRE(db_->DropColumnFamily(handle(family)).ok()); }
  std::string get(const std::string& family, const std::string& key) {
    std::string value;
    REQUIRE(db_->Get({}, handle(family), key, &value).ok());
    return value;
  }
  /// Every pair of every family, in key order.
  void each(
      const std::function<void(const std::string& family, const std::string& key, const std::string& value)>& visit) {
    for (auto* found : handles_) {
      const std::unique_ptr<rocksdb::Iterator> iterator{db_->NewIterator({}, found)};
      for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
        visit(found->GetName(), iterator->key().ToString(), iterator->value().ToString());
      }
      REQUIRE(iterator->status().ok());
    }
  }

 private:
  rocksdb::ColumnFamilyHandle* handle(const std::string& name) {
    const auto found =
        std::find_if(handles_.begin(), handles_.end(), [&](const auto* one) { return one->GetName() == name; });
    if (found == handles_.end()) FAIL("no family " << name);
    return *found;
  }

  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
};

}  // namespace drover::test
