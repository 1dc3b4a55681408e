#pragma once

#include <string>
#include <string_view>

#include "devices/node_facts.hpp"
#include "devices/ui_tree.hpp"

namespace drover::devices {

/// A short name for where the app is (devices.md section 8), made from structure
/// alone: `com.android.deskclock/alarm`, `com.shop/cart+dialog`,
/// `com.mail/first_tab`. Text never counts, so the name is the same in every
/// language, with other user data, while a list scrolls, while the keyboard is
/// open and in a dark theme; digits never stand in it. At most 80 bytes.
///
/// `package/place[.tab][+surface…]`. The place is the first of these that there is:
/// - what the resource id of the innermost page-sized container says, without the
///   words that every layout has (`menu_fragment_container` says "menu");
/// - the same of ids outside of lists, those of the toolbar first;
/// - four letters from the set of ids outside of lists;
/// - without ids: `web`, `canvas`, `form` or `screen`.
/// The tab is the selected one's id or its position. Surfaces: `dialog`, `sheet`,
/// `drawer`, and what other packages show in front (`permission`, `shade`, …).
std::string page_name(const UiTree& tree, const ScreenFacts& screen);

/// The words of a resource id that tell something of this page: lower case, joined
/// by `_`, without digits, layout words and names that an obfuscator made; empty
/// where nothing is left. `com.shop:id/cart_fragment_container` gives `cart`.
std::string page_words(std::string_view resource_id);

}  // namespace drover::devices
