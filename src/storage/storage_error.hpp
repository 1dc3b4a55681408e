#pragma once

#include <rocksdb/status.h>

#include <string>
#include <string_view>

#include "core/error.hpp"

namespace drover::storage {

/// What a status that is not ok means to the reader. `doing` names the work, as in
/// "opening", "writing to". disk_full for no space and for a used-up quota,
/// journal_locked for a lock that somebody holds (`holder` says who, may be
/// empty), else storage_failed with RocksDB's own words.
Error storage_error(const rocksdb::Status& status, std::string_view doing, const std::string& path,
                    std::string_view holder = "");

}  // namespace drover::storage
