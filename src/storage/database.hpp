#pragma once

#include <rocksdb/db.h>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/journal.hpp"

namespace drover::storage {

/// An open RocksDB with its families by name. Closes in the order that RocksDB
/// demands.
class Database {
 public:
  /// Takes over what RocksDB's open functions gave.
  Database(rocksdb::DB* db, std::vector<rocksdb::ColumnFamilyHandle*> handles);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  [[nodiscard]] rocksdb::DB& db() const noexcept { return *db_; }

  /// Null for one that the database does not have.
  [[nodiscard]] rocksdb::ColumnFamilyHandle* family(std::string_view name) const;
  [[nodiscard]] rocksdb::ColumnFamilyHandle* family(RecordKind kind) const noexcept {
    return by_kind_[static_cast<std::size_t>(kind)];
  }

  /// The value under a key; not_found when there is none.
  [[nodiscard]] Result<std::string> get(std::string_view family_name, std::string_view key) const;

  /// What a visitor says of going on.
  enum class Next : std::uint8_t { go_on, stop };
  using Visitor = std::function<Result<Next>(std::string_view key, std::string_view value)>;

  /// Shows every pair whose key begins with `prefix`, in key order, until the
  /// visitor stops or fails. The views hold during the call only. A family that is
  /// absent counts as empty.
  Status scan(rocksdb::ColumnFamilyHandle* family, std::string_view prefix, const Visitor& visit) const;

  /// The same from the first key not below `first` to the end of the family.
  Status scan_from(rocksdb::ColumnFamilyHandle* family, std::string_view first, const Visitor& visit) const;

 private:
  Status walk(rocksdb::ColumnFamilyHandle* family, std::string_view first, const std::string& behind,
              const Visitor& visit) const;

  std::unique_ptr<rocksdb::DB> db_;
  std::map<std::string, rocksdb::ColumnFamilyHandle*, std::less<>> families_;
  std::array<rocksdb::ColumnFamilyHandle*, 10> by_kind_{};
};

/// Refuses a journal of a newer schema, with a sentence; true when the journal
/// says no schema yet because its making was cut short.
Result<bool> lacks_schema(const Database& database, const std::string& path);

/// The last number given out; 0 in a journal without events.
Result<Sequence> last_sequence(const Database& database);

}  // namespace drover::storage
