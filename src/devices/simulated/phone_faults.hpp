#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/clock.hpp"
#include "core/ids.hpp"
#include "core/random.hpp"
#include "core/simulation.hpp"
#include "devices/driver.hpp"

namespace drover::devices::simulated {

/// What a dump that goes wrong brings instead (devices.md section 4).
enum class DumpFault : std::uint8_t {
  none,
  null_root,     ///< The tool finds no root: mid-transition, screen off.
  idle_failure,  ///< The screen did not come to rest; after eleven to twelve seconds.
  killed,
  cut_off,       ///< The XML ends in the middle.
  message_only,  ///< "dumped to", and no XML.
  glued_text,    ///< The XML with the message right behind it: readable.
};

/// How a phone goes away.
enum class LossFault : std::uint8_t {
  none,
  before,      ///< Before the primitive was sent: certainly not carried out.
  not_done,    ///< It was sent and not carried out, and nobody can tell.
  done,        ///< It was carried out, and its answer is lost.
  afterwards,  ///< A moment after the answer, while nothing is open.
};

/// The phone's bad luck for one primitive.
struct PrimitiveFaults {
  LossFault loss = LossFault::none;
  bool lost_for_good = false;
  Duration away{};  ///< How long a loss lasts, before the time scale.
  DumpFault dump = DumpFault::none;
  bool swallowed = false;              ///< A tap that does nothing.
  std::optional<std::uint64_t> popup;  ///< The number of a dialog that puts itself in the way first.
};

/// Draws the faults of one phone. Every kind has a stream of its own, made from
/// the run's seed and the phone's id, so that what one phone or one kind does
/// never depends on another.
class PhoneFaults {
 public:
  PhoneFaults(const PhoneFaultSettings& settings, std::uint64_t seed, const DeviceId& id);

  /// The faults for the next primitive; counts it as an operation.
  PrimitiveFaults next(const Primitive& primitive);
  [[nodiscard]] std::uint64_t operations() const noexcept { return operations_; }

 private:
  float null_root_, dump_failure_, swallowed_tap_, disconnect_, popup_;
  std::uint64_t operations_ = 0;
  std::uint64_t lost_at_ = 0;  ///< The operation at which it goes away for good; 0: never.
  Random dump_, tap_, loss_, interruption_;
};

/// What the tool prints for a fault; `xml` is the dump that it would have been.
std::string dump_with_fault(DumpFault fault, std::string xml);

}  // namespace drover::devices::simulated
