#include "core/error.hpp"

#include "core/sentence.hpp"

namespace drover {

std::string_view name_of(Errc code) noexcept {
  switch (code) {
    case Errc::invalid_argument:
      return "invalid_argument";
    case Errc::invalid_configuration:
      return "invalid_configuration";
    case Errc::malformed:
      return "malformed";
    case Errc::not_found:
      return "not_found";
    case Errc::conflict:
      return "conflict";
    case Errc::stale_fence:
      return "stale_fence";
    case Errc::device_unavailable:
      return "device_unavailable";
    case Errc::device_lost:
      return "device_lost";
    case Errc::observation_failed:
      return "observation_failed";
    case Errc::element_gone:
      return "element_gone";
    case Errc::action_failed:
      return "action_failed";
    case Errc::in_doubt:
      return "in_doubt";
    case Errc::tool_call_unavailable:
      return "tool_call_unavailable";
    case Errc::task_failed:
      return "task_failed";
    case Errc::provider_unavailable:
      return "provider_unavailable";
    case Errc::overloaded:
      return "overloaded";
    case Errc::timeout:
      return "timeout";
    case Errc::cancelled:
      return "cancelled";
    case Errc::budget_exhausted:
      return "budget_exhausted";
    case Errc::storage_failed:
      return "storage_failed";
    case Errc::disk_full:
      return "disk_full";
    case Errc::journal_locked:
      return "journal_locked";
    case Errc::network:
      return "network";
    case Errc::tls:
      return "tls";
    case Errc::internal:
      return "internal";
  }
  return "unknown";
}

bool is_retryable(Errc code) noexcept {
  switch (code) {
    case Errc::device_unavailable:
    case Errc::device_lost:
    case Errc::observation_failed:
    case Errc::provider_unavailable:
    case Errc::overloaded:
    case Errc::timeout:
    case Errc::network:
      return true;
    default:
      return false;
  }
}

std::string Error::describe() const {
  if (remedy.empty()) return cause;
  return std::string(without_full_stop(cause)) + " (" + remedy + ")";
}

}  // namespace drover
