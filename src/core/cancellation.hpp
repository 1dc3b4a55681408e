#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace drover {

/// Why something was asked to stop.
enum class CancelReason : std::uint8_t {
  none,
  user,         ///< Ctrl-C (exit 130).
  terminated,   ///< SIGTERM (exit 143).
  request,      ///< Somebody cancelled the run or the task (exit 19).
  deadline,     ///< The attempt's deadline passed.
  device_lost,  ///< The phone under the session went away.
  budget,       ///< A budget was used up.
  shutdown,     ///< The program is ending after an internal fault.
};

std::string_view name_of(CancelReason reason) noexcept;

/// One token from run to task to session to queue entry to socket. A child is
/// cancelled with its parent, a parent never with its child. The first reason
/// stays. Copies share the state. Safe from any thread.
class CancelToken {
 public:
  CancelToken();

  /// A token that is cancelled when this one is, or by itself.
  [[nodiscard]] CancelToken child() const;

  /// Cancels this token and its children and runs their callbacks in this
  /// thread. False when it was cancelled before.
  bool cancel(CancelReason reason) const;

  [[nodiscard]] bool cancelled() const noexcept;
  [[nodiscard]] CancelReason reason() const noexcept;

  /// Keeps a callback registered for as long as it lives.
  class Registration;

  /// Runs `callback` once on cancellation, at once when that has happened.
  /// Callbacks must be short; actors are reached from them by a message.
  [[nodiscard]] Registration on_cancel(std::function<void(CancelReason)> callback) const;

 private:
  struct State;
  explicit CancelToken(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

class CancelToken::Registration {
 public:
  Registration() = default;
  Registration(Registration&& other) noexcept;
  Registration& operator=(Registration&& other) noexcept;
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  ~Registration();

  /// Forgets the callback; it may still be running in another thread.
  void reset() noexcept;

 private:
  friend class CancelToken;
  std::weak_ptr<State> state_;
  std::uint64_t number_ = 0;
};

}  // namespace drover
