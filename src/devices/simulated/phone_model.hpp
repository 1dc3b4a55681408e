#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/clock.hpp"
#include "devices/driver.hpp"
#include "devices/simulated/app_catalogue.hpp"
#include "devices/simulated/phone_state.hpp"
#include "devices/simulated/screen_view.hpp"

namespace drover::devices::simulated {

/// A phone as a state machine: what it is told goes in, bytes and effects come
/// out, at once. No I/O, no waiting, no chance: the shell around it decides how
/// long things take and what goes wrong. Not thread-safe.
class PhoneModel {
 public:
  /// `description` must outlive the model.
  PhoneModel(std::shared_ptr<const AppCatalogue> catalogue, const DeviceDescription& description);

  /// Carries out one primitive. Errors: action_failed, with what the phone would
  /// say (no such app, no app for a link).
  PrimitiveResult handle(const Primitive& primitive);

  /// Lets the phone's own clock go on.
  void pass_time(Duration time) { state_.uptime += time; }
  /// Apps closed, data cleared, home screen in front.
  void reset();
  /// Puts the dialog of that number (modulo how many there are) in the way; false
  /// when the catalogue has none or one is there already.
  bool interrupt(std::uint64_t number);

  /// Whether launching it would have to start it.
  [[nodiscard]] bool is_cold(std::string_view app) const;
  /// Whether the screen in front never comes to rest, so that plain dumps fail.
  [[nodiscard]] bool is_animated() const;
  /// Package and name of the screen in front, for tests and logs: `com.example.shop/basket`.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] const PhoneState& state() const noexcept { return state_; }

 private:
  struct Context {
    std::uint16_t app = no_index;
    RowRef item;
  };
  PrimitiveResult look();
  PrimitiveResult picture() const;
  PrimitiveResult launch(std::string_view app);
  PrimitiveResult terminate(std::string_view app);
  PrimitiveResult open_url(std::string_view url);
  void touch(Point at, bool hold);
  void touch_keyboard(Point at);
  void touch_widget(const ViewNode& node, Point at, bool hold);
  void drag(const primitive::Drag& drag);
  void type(std::string_view text);
  void erase(std::size_t characters);
  void press(Key key);
  void press_enter();
  void press_back();
  void focus_next();

  void run(const std::vector<AppAction>& actions, Context context);
  bool run_one(const AppAction& action, Context context);
  void apply(const AppAction& action, Context context);
  [[nodiscard]] StoredValue evaluate(const ValueRule& rule, RowRef item) const;

  void open_screen(std::uint16_t app, std::uint16_t screen, RowRef item);
  void close_screen(std::uint16_t app);
  void start_app(std::uint16_t app, bool run_on_start);
  void go_home();
  void leave_field();
  void focus_field(const Widget& widget, RowRef item);
  const Widget* find_widget(const std::vector<Widget>& widgets, std::uint16_t number, std::string_view id) const;
  const Widget* focused_widget() const;
  [[nodiscard]] std::uint16_t active_app() const {
    return state_.interruption != no_index ? state_.interruption : state_.front;
  }
  [[nodiscard]] const AppScreen* front_screen() const;
  OpenScreen* front_entry();
  [[nodiscard]] Error no_such_app(std::string_view app) const;

  const DeviceDescription& description_;
  PhoneState state_;
  int budget_ = 0;  ///< Actions that may still run for the present primitive.
};

}  // namespace drover::devices::simulated
