#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/scene.hpp"

namespace drover {

/// The one text form of a scene: what stands in prompts, logs and `drover scene`.
///
///     page com.android.settings/network app com.android.settings size 1080x2400 keyboard
///     1 list
///      2 item "Wi-Fi, Connected"
///      3 toggle "Airplane mode" off
///     4 field "Search" ="shoes" ?"What are you looking for" focused
///     5 button #close disabled
///
/// The first line describes the screen; then one element a line: one space per
/// level of nesting, id, role, quoted label, `="value"` and `?"hint"`, `#id`, then
/// states.
/// - Quoted: ", \ and every character that ends a line or controls a terminal are
///   escaped (`\"`, `\\`, `\n`, `\r`, `\t`, `\u2028`), so that nothing on a screen can
///   start a line of its own. Page, app and id are bare words where they can be
///   and quoted otherwise. Bytes that are not UTF-8 become U+FFFD.
/// - Left out: an empty label, value or hint. A hint that says the same as the
///   label is a bare `?`.
/// - `#id` is the last part of the resource id; it stands where the label is empty
///   or has no two letters to go by, as "+" or "3".
/// - States, in this order: on / off (checkable), focused, selected, disabled,
///   scrolls, password. A list scrolls without a mark; one that doesn't is `fixed`.
/// - What can be tapped by its role (is_tappable_role) has no mark; others that can
///   be get `tap`, and a tappable role that can't be gets `inert`.
std::string write_scene(const Scene& scene);

/// Appends the same to a buffer: no other allocation on the hot path.
void write_scene(const Scene& scene, std::string& out);

/// Reads what write_scene wrote. What is not in the text stays empty: bounds, class
/// names, element packages, rotation, surfaces, long-clickability, folded parts, all
/// of a resource id but its last part. A text or line that is not in the form is refused as
/// Errc::malformed with the line's number: states may stand in any order, but an
/// unknown word, a second element of the same id, an id or number out of range or
/// a byte that is not UTF-8 is not taken. Pure, thread-safe.
Result<Scene> read_scene(std::string_view text);

}  // namespace drover
