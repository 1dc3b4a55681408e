#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace drover {

/// What kind of thing went wrong. The kind decides what happens next (retry,
/// another phone, stop); the text is for people. Values are never renumbered:
/// they stand in journals.
enum class Errc : std::uint8_t {
  invalid_argument = 1,   ///< A call or command-line argument that can't be taken.
  invalid_configuration,  ///< A configuration, app or suite file that can't be taken.
  malformed,              ///< Input from outside that could not be parsed.
  not_found,              ///< A named thing that does not exist.
  conflict,               ///< The thing is there already or is held by somebody else.
  stale_fence,            ///< An act with a fence older than the phone's present lease.
  device_unavailable,     ///< The phone can't be reached at present.
  device_lost,            ///< The phone went away while it was in use.
  observation_failed,     ///< The phone is there but its screen could not be read.
  element_gone,           ///< The element that an act aims at is no longer on the screen.
  action_failed,          ///< The phone refused or failed an action.
  in_doubt,               ///< An action was sent and its effect was never seen.
  tool_call_unavailable,  ///< No decision could be had from the model (row C7).
  task_failed,            ///< The model gave up: finish_task(false, reason) (row P2).
  provider_unavailable,   ///< The model's service can't be reached or refuses for good.
  overloaded,             ///< A bounded queue is full.
  timeout,                ///< A deadline passed.
  cancelled,              ///< Somebody asked for it to stop.
  budget_exhausted,       ///< Tokens, money, calls or time are used up.
  storage_failed,         ///< The journal could not be read or written.
  disk_full,              ///< The journal's disk has no room.
  journal_locked,         ///< Another process holds the journal for writing.
  network,                ///< A connection could not be made or broke.
  tls,                    ///< A certificate or handshake was refused.
  internal,               ///< A fault of this program.
};

/// The stable short name of an error kind, such as "device_lost".
std::string_view name_of(Errc code) noexcept;

/// Whether trying the same thing again later can help. A function of the kind alone.
bool is_retryable(Errc code) noexcept;

/// A failure as a value: its kind, its cause in one sentence that names who and
/// which, and what the reader can do about it (empty where nothing helps).
struct Error {
  Errc code = Errc::internal;
  std::string cause;
  std::string remedy;

  /// "cause" or "cause (remedy)", one line, for people; before a remedy without a full stop.
  [[nodiscard]] std::string describe() const;

  bool operator==(const Error&) const = default;
};

/// The value of a call that returns nothing but can fail.
struct Done {
  bool operator==(const Done&) const = default;
};

/// Either a T or an Error. Exceptions are no error channel in this project:
/// third-party throws are caught where they are called and become one of these.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  /// By value: what a temporary holds lives on in a range-for.
  T operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

  /// The error; only when ok() is false.
  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// A call that can only succeed or fail.
using Status = Result<Done>;

}  // namespace drover
