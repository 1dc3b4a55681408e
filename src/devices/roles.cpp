#include "devices/roles.hpp"

namespace drover::devices {

namespace {

struct Ending {
  std::string_view name;
  ClassKind kind;
};

constexpr ClassKind plain(Role role) { return {role, false, false, false}; }
constexpr ClassKind collection{Role::list, true, false, true};
constexpr ClassKind scroller{Role::list, true, false, false};
constexpr ClassKind canvas{Role::image, false, true, false};

// Looked up by the end of the class name, the more specific endings first.
constexpr Ending endings[] = {
    {"RadioButton", plain(Role::radio)},
    {"ToggleButton", plain(Role::toggle)},
    {"CompoundButton", plain(Role::toggle)},
    {"Button", plain(Role::button)},
    {"Chip", plain(Role::button)},
    {"EditText", plain(Role::field)},
    {"AutoCompleteTextView", plain(Role::field)},
    {"SearchAutoComplete", plain(Role::field)},
    {"CheckedTextView", plain(Role::checkbox)},
    {"SurfaceView", canvas},
    {"TextureView", canvas},
    {"UnityPlayer", canvas},
    {"FlutterView", canvas},
    {"TabView", plain(Role::tab)},
    {"ActionBar$Tab", plain(Role::tab)},
    {"NavigationItemView", plain(Role::tab)},
    {"NavigationBarItemView", plain(Role::tab)},
    {"RecyclerView", collection},
    {"ListView", collection},
    {"GridView", collection},
    {"ViewPager", collection},
    {"ViewPager2", collection},
    {"ScrollView", scroller},
    {"WebView", plain(Role::web)},
    {"TextView", plain(Role::text)},
    {"ImageView", plain(Role::image)},
    {"Image", plain(Role::image)},
    {"CheckBox", plain(Role::checkbox)},
    {"Checkbox", plain(Role::checkbox)},
    {"SwitchCompat", plain(Role::toggle)},
    {"SwitchMaterial", plain(Role::toggle)},
    {"Switch", plain(Role::toggle)},
    {"SeekBar", plain(Role::slider)},
    {"RatingBar", plain(Role::slider)},
    {"Slider", plain(Role::slider)},
    {"ProgressBar", plain(Role::progress)},
    {"ProgressIndicator", plain(Role::progress)},
    {"Spinner", plain(Role::spinner)},
    {"Toast", plain(Role::text)},
    {"Chronometer", plain(Role::text)},
    {"TextClock", plain(Role::text)},
};

}  // namespace

ClassKind kind_of_class(std::string_view class_name) noexcept {
  // The classes that make up most of a tree, without going through the table.
  if (class_name == "android.view.View") return {Role::other, true, false, false};
  if (class_name == "android.widget.TextView") return plain(Role::text);
  if (class_name.ends_with("Layout") || class_name.ends_with("ViewGroup")) return {Role::other, true, false, false};
  if (class_name.empty()) return {Role::other, true, false, false};
  const char last = class_name.back();
  for (const auto& ending : endings) {
    if (ending.name.back() == last && class_name.ends_with(ending.name)) return ending.kind;
  }
  return {Role::other, true, false, false};
}

}  // namespace drover::devices
