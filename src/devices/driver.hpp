#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/action.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/scene.hpp"

namespace drover::devices {

/// What a driver can be told to do on a phone. Coordinates are pixels of the
/// touch surface in the present orientation.
namespace primitive {
struct DumpTree {};
struct TakeScreenshot {};
struct TapAt {
  Point at;
};
struct HoldAt {
  Point at;
  Duration hold;
};
struct Drag {
  Point from;
  Point to;
  Duration time;
};
struct TypeText {
  std::string text;  ///< Valid UTF-8; the driver escapes for its own transport.
};
struct DeleteText {
  std::size_t characters;  ///< Cursor to the end, then that many backspaces.
};
struct Press {
  Key key;
};
struct Launch {
  std::string app;  ///< Package, or a name the launcher shows.
};
struct Terminate {
  std::string app;
};
struct Open {
  std::string url;
};
}  // namespace primitive

using Primitive = std::variant<primitive::DumpTree, primitive::TakeScreenshot, primitive::TapAt, primitive::HoldAt,
                               primitive::Drag, primitive::TypeText, primitive::DeleteText, primitive::Press,
                               primitive::Launch, primitive::Terminate, primitive::Open>;

/// One word for logs: "dump_tree", "tap_at", …
std::string_view name_of(const Primitive& primitive) noexcept;
/// Whether it changes the phone (dump and screenshot do not).
bool changes_phone(const Primitive& primitive) noexcept;

/// The bytes a look brought back: XML for DumpTree, a picture for
/// TakeScreenshot, empty for acts.
struct PrimitiveReply {
  std::string bytes;
};

using PrimitiveResult = Result<PrimitiveReply>;

/// What is known of a phone.
struct DeviceDescription {
  DeviceId id;
  std::string serial;    ///< How its transport calls it.
  std::string platform;  ///< "android", "ios", "web".
  std::string model;
  std::string os_version;
  std::string transport;  ///< "simulated", "adb", …
  int width = 0;
  int height = 0;
};

/// How a phone is reached. Not thread-safe: its device actor is the only caller
/// and has at most one primitive open. Callbacks come exactly once, on any
/// thread, and not before the call has returned… unless the driver is gone, in
/// which case they come with Errc::device_lost. Errors: device_unavailable
/// (try connecting later), device_lost (went away in the middle),
/// observation_failed, action_failed, in_doubt (sent, and the phone went away
/// before it answered), timeout.
class Driver {
 public:
  virtual ~Driver() = default;

  [[nodiscard]] virtual const DeviceDescription& description() const noexcept = 0;

  /// Makes the phone ready for use; again after a loss.
  virtual void connect(Duration timeout, std::function<void(Status)> done) = 0;
  /// Runs one primitive and gives its result within `timeout`.
  virtual void run(Primitive primitive, Duration timeout, std::function<void(PrimitiveResult)> done) = 0;
  /// Called on any thread when the phone goes away while nothing is open.
  virtual void on_lost(std::function<void(Error)> callback) = 0;
  /// Puts the phone into a known state between tasks: apps closed, home screen in front.
  virtual void reset(Duration timeout, std::function<void(Status)> done) = 0;
};

}  // namespace drover::devices
