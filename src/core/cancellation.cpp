#include "core/cancellation.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

namespace drover {

std::string_view name_of(CancelReason reason) noexcept {
  switch (reason) {
    case CancelReason::none:
      return "none";
    case CancelReason::user:
      return "user";
    case CancelReason::terminated:
      return "terminated";
    case CancelReason::request:
      return "request";
    case CancelReason::deadline:
      return "deadline";
    case CancelReason::device_lost:
      return "device_lost";
    case CancelReason::budget:
      return "budget";
    case CancelReason::shutdown:
      return "shutdown";
  }
  return "unknown";
}

struct CancelToken::State {
  std::atomic<CancelReason> reason{CancelReason::none};
  std::mutex mutex;
  std::map<std::uint64_t, std::function<void(CancelReason)>> callbacks;
  std::uint64_t last_number = 0;
  Registration parent_registration;  // keeps a child known to its parent
};

CancelToken::CancelToken() : state_(std::make_shared<State>()) {}
CancelToken::CancelToken(std::shared_ptr<State> state) : state_(std::move(state)) {}

CancelToken CancelToken::child() const {
  auto state = std::make_shared<State>();
  state->parent_registration = on_cancel([weak = std::weak_ptr<State>(state)](CancelReason reason) {
    if (auto alive = weak.lock()) CancelToken(std::move(alive)).cancel(reason);
  });
  return CancelToken(std::move(state));
}

bool CancelToken::cancel(CancelReason reason) const {
  std::map<std::uint64_t, std::function<void(CancelReason)>> callbacks;
  {
    std::lock_guard lock(state_->mutex);
    if (state_->reason != CancelReason::none || reason == CancelReason::none) return false;
    state_->reason = reason;
    callbacks.swap(state_->callbacks);
  }
  for (auto& [number, callback] : callbacks) callback(reason);
  return true;
}

bool CancelToken::cancelled() const noexcept { return reason() != CancelReason::none; }
CancelReason CancelToken::reason() const noexcept { return state_->reason.load(); }

CancelToken::Registration CancelToken::on_cancel(std::function<void(CancelReason)> callback) const {
  Registration registration;
  {
    std::lock_guard lock(state_->mutex);
    if (state_->reason == CancelReason::none) {
      registration.state_ = state_;
      registration.number_ = ++state_->last_number;
      state_->callbacks.emplace(registration.number_, std::move(callback));
      return registration;
    }
  }
  callback(state_->reason);
  return registration;
}

CancelToken::Registration::Registration(Registration&& other) noexcept
    : state_(std::move(other.state_)), number_(std::exchange(other.number_, 0)) {}

CancelToken::Registration& CancelToken::Registration::operator=(Registration&& other) noexcept {
  if (this != &other) {
    reset();
    state_ = std::move(other.state_);
    number_ = std::exchange(other.number_, 0);
  }
  return *this;
}

CancelToken::Registration::~Registration() { reset(); }

void CancelToken::Registration::reset() noexcept {
  if (number_ == 0) return;
  std::function<void(CancelReason)> dropped;  // destroyed outside the lock
  if (auto state = state_.lock()) {
    std::lock_guard lock(state->mutex);
    if (const auto found = state->callbacks.find(number_); found != state->callbacks.end()) {
      dropped = std::move(found->second);
      state->callbacks.erase(found);
    }
  }
  number_ = 0;
  state_.reset();
}

}  // namespace drover
