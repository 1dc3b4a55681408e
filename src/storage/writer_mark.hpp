#pragma once

#include <string>

namespace drover::storage {

/// The file `WRITER` in a journal's folder: which process writes it. It guards
/// nothing (RocksDB's own lock does) and only tells others whom they wait for.
inline constexpr const char* writer_mark_name = "WRITER";

/// Says that this process writes. Failing to is no error.
void leave_writer_mark(const std::string& path);

void remove_writer_mark(const std::string& path);

/// "process 4711 (drover)", with the host when it is another one; empty when there
/// is no mark, or when the process of this host that it names is gone.
std::string read_writer_mark(const std::string& path);

}  // namespace drover::storage
