#pragma once

#include <string>

#include "core/error.hpp"

namespace rocksdb {
class Env;
}

namespace drover::storage {

/// What stands at a journal's path before it is opened.
enum class FolderContent : std::uint8_t {
  journal,  ///< A database.
  nothing,  ///< No folder, an empty one, or one whose making was cut short.
};

/// Looks without changing anything. Errors: invalid_configuration for a path that
/// is no folder or a folder with files of something else; storage_failed for one
/// that can't be read, or that holds records without the file that leads to them.
Result<FolderContent> look_at_folder(const std::string& path);

/// disk_full where the disk that holds the folder, or will hold it, has less than
/// 8 MiB free. RocksDB 7.8 ends the process when it runs out of room while it
/// opens, so nothing is opened below that. A disk that does not tell passes.
Status check_room(rocksdb::Env& env, const std::string& path);

/// Makes the folder and those above it, each entry synced, so that a journal can't
/// vanish with its name in a power cut.
Status make_folder(rocksdb::Env& env, const std::string& path);

}  // namespace drover::storage
