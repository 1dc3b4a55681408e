#include "providers/model_answer.hpp"

namespace drover::providers {

std::string_view name_of(FailureKind kind) noexcept {
  switch (kind) {
    case FailureKind::rate_limited:
      return "rate_limited";
    case FailureKind::overloaded:
      return "overloaded";
    case FailureKind::server:
      return "server";
    case FailureKind::network:
      return "network";
    case FailureKind::timeout:
      return "timeout";
    case FailureKind::authentication:
      return "authentication";
    case FailureKind::not_served:
      return "not_served";
    case FailureKind::quota:
      return "quota";
    case FailureKind::bad_request:
      return "bad_request";
    case FailureKind::unreadable:
      return "unreadable";
    case FailureKind::refused:
      return "refused";
    case FailureKind::budget:
      return "budget";
    case FailureKind::cancelled:
      return "cancelled";
  }
  return "unknown";
}

bool is_transient(FailureKind kind) noexcept {
  switch (kind) {
    case FailureKind::rate_limited:
    case FailureKind::overloaded:
    case FailureKind::server:
    case FailureKind::network:
    case FailureKind::timeout:
      return true;
    case FailureKind::authentication:
    case FailureKind::not_served:
    case FailureKind::quota:
    case FailureKind::bad_request:
    case FailureKind::unreadable:
    case FailureKind::refused:
    case FailureKind::budget:
    case FailureKind::cancelled:
      return false;
  }
  return false;
}

bool another_may_serve(FailureKind kind) noexcept {
  return is_transient(kind) || kind == FailureKind::authentication || kind == FailureKind::not_served ||
         kind == FailureKind::quota;
}

bool may_retry(const ProviderFailure& failure) noexcept {
  switch (failure.kind) {
    case FailureKind::authentication:
    case FailureKind::not_served:
    case FailureKind::quota:
    case FailureKind::budget:
    case FailureKind::cancelled:
      return false;
    default:
      return failure.should_retry.value_or(is_transient(failure.kind));
  }
}

}  // namespace drover::providers
