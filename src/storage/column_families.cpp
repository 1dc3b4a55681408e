#include "storage/column_families.hpp"

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/table.h>

#include <array>
#include <cstdarg>

namespace drover::storage {
namespace {

constexpr std::array<std::string_view, 22> names = {
    "default",   "events",         "runs",     "tasks",     "attempts",   "intents", "outcomes",  "steps",
    "decisions", "system_prompts", "counters", "devices",   "batches",    "flows",   "timelines", "leases",
    "schedules", "load",           "evidence", "artifacts", "quarantine", "budgets",
};

// A reader leaves no log of its own anywhere.
class SilentLogger final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char* /*format*/, va_list /*arguments*/) override {}
};

bool holds_long_texts(std::string_view name) { return name == "decisions" || name == "system_prompts"; }

}  // namespace

std::span<const std::string_view> family_names() noexcept { return names; }

std::string_view family_of(RecordKind kind) noexcept {
  switch (kind) {
    case RecordKind::run:
      return "runs";
    case RecordKind::task:
      return "tasks";
    case RecordKind::attempt:
      return "attempts";
    case RecordKind::intent:
      return "intents";
    case RecordKind::outcome:
      return "outcomes";
    case RecordKind::step:
      return "steps";
    case RecordKind::decision:
      return "decisions";
    case RecordKind::system_prompt:
      return "system_prompts";
    case RecordKind::batch:
      return "batches";
  }
  return "default";
}

rocksdb::ColumnFamilyOptions family_options(std::string_view name, std::size_t memtable_bytes,
                                            const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions options;
  // Small enough that a family fills its own share before all of them together
  // reach the bound: RocksDB would then write out the oldest, not the largest.
  options.write_buffer_size = memtable_bytes / 8 * (holds_long_texts(name) ? 3 : 1);
  options.max_write_buffer_number = 2;
  options.level0_file_num_compaction_trigger = 8;
  options.target_file_size_base = 32u << 20;
  options.max_bytes_for_level_base = 256u << 20;
  // Fresh tables are left as they are: packing them would cost more processor time
  // than everything else that a record goes through. (Blob files would spare the
  // merging of long texts, but RocksDB 7.8 crashes when a secondary reads them.)
  options.compression_per_level = {rocksdb::kNoCompression, rocksdb::kNoCompression, rocksdb::kLZ4Compression};

  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = 16u << 10;
  table.cache_index_and_filter_blocks = true;
  table.format_version = 5;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

rocksdb::DBOptions writer_options(rocksdb::Env* env, std::size_t memtable_bytes) {
  rocksdb::DBOptions options;
  options.env = env;
  options.create_if_missing = true;

  // Everything up to the first damaged or missing byte is taken back. Each commit
  // is synced before it is acknowledged, so that only what nobody was promised can
  // stand behind that byte. Logs are never used again for another: the rest of an
  // older one could pass for records after a power cut.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  options.track_and_verify_wals_in_manifest = true;
  options.recycle_log_file_num = 0;
  options.manual_wal_flush = false;

  // A journal that could not be written is closed and read again: a recovery in the
  // background would only make closing wait for it.
  options.max_bgerror_resume_count = 0;

  options.db_write_buffer_size = memtable_bytes;
  options.max_total_wal_size = 2 * memtable_bytes;
  options.max_background_jobs = 2;
  options.max_open_files = 256;
  options.bytes_per_sync = 1u << 20;
  options.allow_concurrent_memtable_write = false;
  options.enable_write_thread_adaptive_yield = false;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  options.max_log_file_size = 1u << 20;
  options.keep_log_file_num = 3;
  options.max_manifest_file_size = 16u << 20;
  options.skip_stats_update_on_db_open = true;
  return options;
}

rocksdb::DBOptions reader_options() {
  rocksdb::DBOptions options;
  // The writer deletes tables that it has merged; a reader keeps them open instead.
  options.max_open_files = -1;
  options.info_log = std::make_shared<SilentLogger>();
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.skip_stats_update_on_db_open = true;
  return options;
}

}  // namespace drover::storage
