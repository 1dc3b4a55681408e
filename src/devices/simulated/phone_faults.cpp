#include "devices/simulated/phone_faults.hpp"

#include <utility>

namespace drover::devices::simulated {
namespace {

Random stream(std::uint64_t seed, const DeviceId& id, std::string_view fault) {
  return Random(seed, "phone/" + id.value + "/" + std::string(fault));
}

}  // namespace

PhoneFaults::PhoneFaults(const PhoneFaultSettings& settings, std::uint64_t seed, const DeviceId& id)
    : null_root_(static_cast<float>(settings.null_root)),
      dump_failure_(static_cast<float>(settings.dump_failure)),
      swallowed_tap_(static_cast<float>(settings.swallowed_tap)),
      disconnect_(static_cast<float>(settings.disconnect)),
      popup_(static_cast<float>(settings.popup)),
      dump_(stream(seed, id, "dump")),
      tap_(stream(seed, id, "swallowed_tap")),
      loss_(stream(seed, id, "disconnect")),
      interruption_(stream(seed, id, "popup")) {
  for (const std::string& each : settings.lost) {
    const auto lost = parse_lost_phone(each);
    if (lost && lost->id == id.value) lost_at_ = lost->operation;
  }
}

PrimitiveFaults PhoneFaults::next(const Primitive& primitive) {
  PrimitiveFaults faults;
  ++operations_;
  const bool changes = changes_phone(primitive);
  if (std::holds_alternative<primitive::DumpTree>(primitive)) {
    const double luck = dump_.unit();
    const std::uint64_t kind = dump_.next();
    if (luck < null_root_) {
      faults.dump = DumpFault::null_root;
    } else if (luck < static_cast<double>(null_root_) + dump_failure_) {
      constexpr DumpFault kinds[]{DumpFault::idle_failure, DumpFault::killed, DumpFault::cut_off,
                                  DumpFault::message_only, DumpFault::glued_text};
      faults.dump = kinds[kind % std::size(kinds)];
    }
  }
  if (std::holds_alternative<primitive::TapAt>(primitive)) {
    faults.swallowed = tap_.chance(swallowed_tap_);
    const bool popup = interruption_.chance(popup_);
    const std::uint64_t number = interruption_.next();
    if (popup) faults.popup = number;
  }
  const bool away = loss_.chance(disconnect_);
  const std::uint64_t kind = loss_.next();
  faults.away = loss_.between(std::chrono::seconds{2}, std::chrono::seconds{8});
  if (away) {
    constexpr LossFault kinds[]{LossFault::before, LossFault::not_done, LossFault::done, LossFault::afterwards};
    faults.loss = kinds[kind % std::size(kinds)];
    if (!changes && faults.loss != LossFault::afterwards) faults.loss = LossFault::before;
  }
  if (lost_at_ != 0 && operations_ >= lost_at_) {
    faults.lost_for_good = true;
    faults.loss = changes ? LossFault::not_done : LossFault::before;
  }
  return faults;
}

std::string dump_with_fault(DumpFault fault, std::string xml) {
  switch (fault) {
    case DumpFault::none:
      return xml;
    case DumpFault::null_root:
      return "ERROR: null root node returned by UiTestAutomationBridge.\n";
    case DumpFault::idle_failure:
      return "ERROR: could not get idle state.\n";
    case DumpFault::killed:
      return "Killed \n";
    case DumpFault::cut_off:
      xml.resize(xml.size() * 2 / 3);
      return xml;
    case DumpFault::message_only:
      return "UI hierchary dumped to: /dev/tty\n";
    case DumpFault::glued_text:
      return xml + "UI hierchary dumped to: /dev/tty\n";
  }
  return xml;
}

}  // namespace drover::devices::simulated
