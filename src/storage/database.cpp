#include "storage/database.hpp"

#include "storage/column_families.hpp"
#include "storage/record_key.hpp"
#include "storage/storage_error.hpp"

namespace drover::storage {
namespace {

std::string_view view(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }
rocksdb::Slice slice(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

Database::Database(rocksdb::DB* db, std::vector<rocksdb::ColumnFamilyHandle*> handles) : db_(db) {
  for (auto* handle : handles) families_.emplace(handle->GetName(), handle);
  for (auto kind = static_cast<int>(RecordKind::run); kind <= static_cast<int>(RecordKind::batch); ++kind) {
    by_kind_[static_cast<std::size_t>(kind)] = family(family_of(static_cast<RecordKind>(kind)));
  }
}

Database::~Database() {
  for (auto& [name, handle] : families_) db_->DestroyColumnFamilyHandle(handle);
  db_->Close().PermitUncheckedError();
}

rocksdb::ColumnFamilyHandle* Database::family(std::string_view name) const {
  const auto found = families_.find(name);
  return found == families_.end() ? nullptr : found->second;
}

Result<std::string> Database::get(std::string_view family_name, std::string_view key) const {
  auto* const handle = family(family_name);
  std::string value;
  const auto status =
      handle == nullptr ? rocksdb::Status::NotFound() : db_->Get(rocksdb::ReadOptions{}, handle, slice(key), &value);
  if (status.IsNotFound()) return Error{Errc::not_found, "no such key in " + std::string{family_name}, ""};
  if (!status.ok()) return storage_error(status, "Reading", db_->GetName());
  return value;
}

Status Database::scan(rocksdb::ColumnFamilyHandle* family, std::string_view prefix, const Visitor& visit) const {
  return walk(family, prefix, behind_prefix(prefix), visit);
}

Status Database::scan_from(rocksdb::ColumnFamilyHandle* family, std::string_view first, const Visitor& visit) const {
  return walk(family, first, "", visit);
}

Status Database::walk(rocksdb::ColumnFamilyHandle* family, std::string_view first, const std::string& behind,
                      const Visitor& visit) const {
  if (family == nullptr) return Done{};
  rocksdb::ReadOptions options;
  const rocksdb::Slice bound{behind};
  if (!behind.empty()) options.iterate_upper_bound = &bound;
  const std::unique_ptr<rocksdb::Iterator> iterator{db_->NewIterator(options, family)};
  for (iterator->Seek(slice(first)); iterator->Valid(); iterator->Next()) {
    auto next = visit(view(iterator->key()), view(iterator->value()));
    if (!next.ok()) return next.error();
    if (*next == Next::stop) return Done{};
  }
  if (!iterator->status().ok()) return storage_error(iterator->status(), "Reading", db_->GetName());
  return Done{};
}

Result<bool> lacks_schema(const Database& database, const std::string& path) {
  auto text = database.get(family::meta, "schema");
  if (!text.ok()) {
    if (text.error().code == Errc::not_found) return true;
    return text.error();
  }
  auto value = parse_json(*text, "the schema of the journal");
  if (!value.ok()) return Error{Errc::storage_failed, "The journal in " + path + " says no readable schema", ""};
  const auto schema = integer_or(*value, "schema");
  if (schema > record_schema) {
    return Error{Errc::invalid_configuration,
                 "The journal in " + path + " has schema " + std::to_string(schema) + "; this version knows " +
                     std::to_string(record_schema) + " and older ones",
                 "use the newer version of drover, or name another folder"};
  }
  return false;
}

Result<Sequence> last_sequence(const Database& database) {
  auto* const events = database.family(family::events);
  if (events == nullptr) return Sequence{0};
  const std::unique_ptr<rocksdb::Iterator> iterator{database.db().NewIterator(rocksdb::ReadOptions{}, events)};
  iterator->SeekToLast();
  if (!iterator->status().ok()) return storage_error(iterator->status(), "Reading", database.db().GetName());
  if (!iterator->Valid()) return Sequence{0};
  const auto sequence = read_sequence_key(view(iterator->key()));
  if (!sequence) return Error{Errc::storage_failed, "The journal holds an event whose number can't be read", ""};
  return *sequence;
}

}  // namespace drover::storage
