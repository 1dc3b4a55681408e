#pragma once

#include <rocksdb/options.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "storage/journal.hpp"

namespace rocksdb {
class Cache;
}

namespace drover::storage {

/// The column families beside those of the record kinds.
namespace family {
inline constexpr std::string_view meta = "default";       ///< What the journal says of itself: its schema.
inline constexpr std::string_view events = "events";      ///< The dense sequence.
inline constexpr std::string_view counters = "counters";  ///< The fence and the named counters.
}  // namespace family

/// Every family that this version knows, "default" first, those reserved for
/// later included: RocksDB opens a database for writing only by naming all of its
/// families, so a binary must know them before the first record stands in one.
std::span<const std::string_view> family_names() noexcept;

/// Where the records of a kind stand.
std::string_view family_of(RecordKind kind) noexcept;

/// How a family is kept. `memtable_bytes` is what all families together may gather
/// in memory before tables are written; `cache` is shared by all of them.
rocksdb::ColumnFamilyOptions family_options(std::string_view name, std::size_t memtable_bytes,
                                            const std::shared_ptr<rocksdb::Cache>& cache);

/// How the database is kept by the process that writes it.
rocksdb::DBOptions writer_options(rocksdb::Env* env, std::size_t memtable_bytes);

/// How it is kept by one that only reads.
rocksdb::DBOptions reader_options();

}  // namespace drover::storage
