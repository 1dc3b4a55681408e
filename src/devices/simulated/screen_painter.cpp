#include "devices/simulated/screen_painter.hpp"

#include <pango/pangocairo.h>
#include <png.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "core/random.hpp"
#include "devices/simulated/keyboard_layout.hpp"
#include "devices/simulated/screen_layout.hpp"
#include "devices/simulated/screen_view.hpp"

#ifdef __SANITIZE_ADDRESS__
// Fontconfig keeps its caches until the process ends, and at most once: no leak of ours.
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }
#endif

namespace drover::devices::simulated {
namespace {

struct Colour {
  double red = 0;
  double green = 0;
  double blue = 0;
};

constexpr Colour rgb(unsigned value) {
  return {(value >> 16 & 0xff) / 255.0, (value >> 8 & 0xff) / 255.0, (value & 0xff) / 255.0};
}

Colour parse_colour(std::string_view text) {
  if (text.size() != 7 || text[0] != '#') return rgb(0x607d8b);
  return rgb(static_cast<unsigned>(std::strtoul(std::string(text.substr(1)).c_str(), nullptr, 16)));
}

/// A repeatable colour for a picture that exists only by name.
Colour colour_for(std::string_view name) {
  constexpr unsigned shades[]{0x90a4ae, 0xa5d6a7, 0xffcc80, 0xb39ddb, 0x80cbc4, 0xef9a9a, 0x9fa8da, 0xe6ee9c};
  return rgb(shades[stable_hash(name) % std::size(shades)]);
}

struct Palette {
  Colour page, surface, text, faint, line, accent, on_accent, keyboard, key;
};

constexpr Palette light{rgb(0xfafafa), rgb(0xffffff), rgb(0x1f1f1f), rgb(0x5f6368), rgb(0xdadce0),
                        rgb(0x1a56c4), rgb(0xffffff), rgb(0xe8eaed), rgb(0xffffff)};
constexpr Palette dark{rgb(0x121212), rgb(0x242526), rgb(0xe8eaed), rgb(0x9aa0a6), rgb(0x3c4043),
                       rgb(0x8ab4f8), rgb(0x10233f), rgb(0x202124), rgb(0x3c4043)};

enum class Align { left, centre };

class Canvas {
 public:
  Canvas(int width, int height)
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height), cairo_surface_destroy),
        cairo_(cairo_create(surface_.get()), cairo_destroy),
        layout_(pango_cairo_create_layout(cairo_.get()), g_object_unref) {}

  void fill(Bounds box, Colour colour, double radius = 0, double alpha = 1) {
    set(colour, alpha);
    path(box, radius);
    cairo_fill(cairo_.get());
  }

  void outline(Bounds box, Colour colour, double radius, double width) {
    set(colour, 1);
    path(box, radius);
    cairo_set_line_width(cairo_.get(), width);
    cairo_stroke(cairo_.get());
  }

  void disc(double x, double y, double radius, Colour colour) {
    set(colour, 1);
    cairo_arc(cairo_.get(), x, y, radius, 0, 6.2832);
    cairo_fill(cairo_.get());
  }

  void stroke(double x0, double y0, double x1, double y1, Colour colour, double width) {
    set(colour, 1);
    cairo_set_line_width(cairo_.get(), width);
    cairo_move_to(cairo_.get(), x0, y0);
    cairo_line_to(cairo_.get(), x1, y1);
    cairo_stroke(cairo_.get());
  }

  /// Gives the width that the text takes.
  int text(std::string_view text, Bounds box, int size, Colour colour, Align align = Align::left, bool bold = false) {
    if (text.empty() || box.empty()) return 0;
    PangoFontDescription* font = pango_font_description_new();
    pango_font_description_set_family_static(font, "Roboto, Noto Sans, DejaVu Sans, sans");
    pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
    if (bold) pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
    PangoLayout* layout = layout_.get();
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_text(layout, text.data(), static_cast<int>(text.size()));
    pango_layout_set_width(layout, box.width() * PANGO_SCALE);
    pango_layout_set_height(layout, std::max(box.height(), size) * PANGO_SCALE);
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
    pango_layout_set_alignment(layout, align == Align::centre ? PANGO_ALIGN_CENTER : PANGO_ALIGN_LEFT);
    int width = 0;
    int height = 0;
    pango_layout_get_pixel_size(layout, &width, &height);
    cairo_save(cairo_.get());
    cairo_rectangle(cairo_.get(), box.left, box.top, box.width(), box.height());
    cairo_clip(cairo_.get());
    set(colour, 1);
    cairo_move_to(cairo_.get(), box.left, box.top + (box.height() - height) / 2.0);
    pango_cairo_show_layout(cairo_.get(), layout);
    cairo_restore(cairo_.get());
    return width;
  }

  /// RGBA, as `screencap -p` writes it; little compression, because nobody keeps it.
  std::string png() {
    cairo_surface_flush(surface_.get());
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(cairo_image_surface_get_width(surface_.get()));
    image.height = static_cast<png_uint_32>(cairo_image_surface_get_height(surface_.get()));
    image.format = PNG_FORMAT_BGRA;
    image.flags = PNG_IMAGE_FLAG_FAST;
    const auto* pixels = cairo_image_surface_get_data(surface_.get());
    const int stride = cairo_image_surface_get_stride(surface_.get());
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    const std::unique_ptr<char[]> buffer(new char[size]);
    if (png_image_write_to_memory(&image, buffer.get(), &size, 0, pixels, stride, nullptr) == 0) return {};
    return {buffer.get(), size};
  }

 private:
  void set(Colour colour, double alpha) {
    cairo_set_source_rgba(cairo_.get(), colour.red, colour.green, colour.blue, alpha);
  }

  void path(Bounds box, double radius) {
    cairo_new_path(cairo_.get());
    const double r = std::min({radius, box.width() / 2.0, box.height() / 2.0});
    if (r <= 0) return cairo_rectangle(cairo_.get(), box.left, box.top, box.width(), box.height());
    cairo_arc(cairo_.get(), box.right - r, box.top + r, r, -1.5708, 0);
    cairo_arc(cairo_.get(), box.right - r, box.bottom - r, r, 0, 1.5708);
    cairo_arc(cairo_.get(), box.left + r, box.bottom - r, r, 1.5708, 3.1416);
    cairo_arc(cairo_.get(), box.left + r, box.top + r, r, 3.1416, 4.7124);
    cairo_close_path(cairo_.get());
  }

  std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface_;
  std::unique_ptr<cairo_t, void (*)(cairo_t*)> cairo_;
  std::unique_ptr<PangoLayout, void (*)(gpointer)> layout_;
};

/// Draws the nodes of one view.
class ViewPainter {
 public:
  ViewPainter(const PhoneState& phone, const ScreenView& view, const Palette& palette, int font_percent, Canvas& canvas)
      : phone_(phone), view_(view), palette_(palette), font_percent_(font_percent), canvas_(canvas) {}

  void paint() {
    for (const ViewNode& node : view_.nodes) paint_node(node);
  }

 private:
  [[nodiscard]] int scaled(int size) const { return size * font_percent_ / 100; }

  void paint_node(const ViewNode& node) {
    const Bounds box = node.bounds;
    const Colour ink = node.enabled ? palette_.text : palette_.line;
    switch (node.part) {
      case NodePart::page:
        return canvas_.fill(box, palette_.page);
      case NodePart::toolbar:
        return canvas_.fill(box, palette_.surface);
      case NodePart::toolbar_title:
        return draw(node.text, box, scaled(52), ink, Align::left, true);
      case NodePart::navigate_up:
        return paint_arrow(box);
      case NodePart::dialog:
        return canvas_.fill(box, palette_.surface, 48);
      case NodePart::dialog_title:
        return draw(node.text, box, scaled(52), ink, Align::left, true);
      case NodePart::dialog_message:
        return draw(node.text, box, scaled(body_text), palette_.faint);
      case NodePart::footer:
        if (view_.window.top == 0) canvas_.fill(box, palette_.surface);
        return;
      case NodePart::snackbar:
        canvas_.fill({box.left - 24, box.top - 12, box.right + 24, box.bottom + 12}, palette_.text, 24);
        return draw(node.text, box, scaled(small_text), palette_.page);
      case NodePart::title:
        return draw(node.text, box, scaled(node.widget->kind == WidgetKind::tab ? 33 : body_text),
                    node.selected ? palette_.accent : ink,
                    node.widget->kind == WidgetKind::tab ? Align::centre : Align::left);
      case NodePart::summary:
        return draw(node.text, box, scaled(small_text), palette_.faint);
      case NodePart::icon:
        return paint_icon(box, node.widget == nullptr ? "" : node.widget->icon);
      case NodePart::control:
        return node.widget->kind == WidgetKind::slider ? paint_slider(node) : paint_switch(node, box);
      case NodePart::widget:
        return paint_widget(node);
      case NodePart::keyboard:
        if (node.depth == 0) paint_keyboard();
        return;
      case NodePart::furniture:
      case NodePart::scroll:
      case NodePart::keyboard_action:
        return;
    }
  }

  void draw(std::string_view text, Bounds box, int size, Colour colour, Align align = Align::left, bool bold = false) {
    canvas_.text(text, box, size, colour, align, bold);
  }

  void paint_arrow(Bounds box) {
    const Point c = box.center();
    canvas_.stroke(c.x - 26, c.y, c.x + 26, c.y, palette_.text, 5);
    canvas_.stroke(c.x - 26, c.y, c.x - 4, c.y - 22, palette_.text, 5);
    canvas_.stroke(c.x - 26, c.y, c.x - 4, c.y + 22, palette_.text, 5);
  }

  void paint_icon(Bounds box, std::string_view name) {
    const Point c = box.center();
    canvas_.disc(c.x, c.y, std::min(box.width(), box.height()) / 2.2, colour_for(name));
    if (!name.empty()) canvas_.text(name.substr(0, 1), box, 42, palette_.text, Align::centre, true);
  }

  void paint_switch(const ViewNode& node, Bounds box) {
    const int middle = box.center().y;
    const Bounds track{box.right - 138, middle - 39, box.right, middle + 39};
    canvas_.fill(track, node.checked ? palette_.accent : palette_.line, 39);
    canvas_.disc(node.checked ? track.right - 39 : track.left + 39, middle, 28,
                 node.enabled ? palette_.surface : palette_.faint);
  }

  void paint_slider(const ViewNode& node) {
    const Bounds box = node.bounds;
    const int middle = box.center().y;
    const double range = static_cast<double>(node.widget->maximum - node.widget->minimum);
    const double value = std::strtod(std::string(node.text).c_str(), nullptr);
    const int at =
        box.left + static_cast<int>((value - static_cast<double>(node.widget->minimum)) / range * box.width());
    canvas_.stroke(box.left, middle, box.right, middle, palette_.line, 9);
    canvas_.stroke(box.left, middle, at, middle, palette_.accent, 9);
    if (node.widget->kind == WidgetKind::slider) canvas_.disc(at, middle, 26, palette_.accent);
  }

  void paint_widget(const ViewNode& node) {
    const Widget& widget = *node.widget;
    const Bounds box = node.bounds;
    const int size = scaled(text_size(widget));
    const Colour ink = node.enabled ? palette_.text : palette_.faint;
    switch (widget.kind) {
      case WidgetKind::text:
        return paint_text(node);
      case WidgetKind::button:
        return paint_button(node);
      case WidgetKind::icon_button:
        return paint_icon({box.left + 24, box.top + 24, box.right - 24, box.bottom - 24}, widget.icon);
      case WidgetKind::toggle:
        if (widget.style != WidgetStyle::plain) return;
        canvas_.text(node.text, {box.left + 24, box.top, box.right - 160, box.bottom}, size, ink);
        return paint_switch(node, {box.left, box.top, box.right - 12, box.bottom});
      case WidgetKind::checkbox:
      case WidgetKind::radio:
        return paint_choice(node);
      case WidgetKind::field:
        return paint_field(node);
      case WidgetKind::item:
        if (widget.style == WidgetStyle::app_icon) paint_app_icon(node);
        return;
      case WidgetKind::image:
        canvas_.fill(box, colour_for(std::string(node.description) + widget.icon), 24);
        return draw(node.description, {box.left + 12, box.bottom - 60, box.right - 12, box.bottom}, 33, palette_.text,
                    Align::centre);
      case WidgetKind::progress:
        return paint_slider(node);
      case WidgetKind::tab:
        canvas_.fill(box, palette_.surface);
        if (node.selected) canvas_.fill({box.left, box.top, box.right, box.top + 6}, palette_.accent);
        return;
      case WidgetKind::card:
        canvas_.fill(box, palette_.surface, 30);
        return canvas_.outline(box, palette_.line, 30, 2);
      case WidgetKind::divider:
        return canvas_.fill(box, palette_.line);
      case WidgetKind::slider:
      case WidgetKind::row:
      case WidgetKind::column:
      case WidgetKind::grid:
      case WidgetKind::repeat:
      case WidgetKind::space:
        return;
    }
  }

  void paint_text(const ViewNode& node) {
    const WidgetStyle style = node.widget->style;
    const Colour ink = style == WidgetStyle::section ? palette_.accent
                       : style == WidgetStyle::small ? palette_.faint
                       : style == WidgetStyle::error ? rgb(0xd93025)
                                                     : palette_.text;
    canvas_.text(node.text, node.bounds, scaled(text_size(*node.widget)), ink, Align::left,
                 style == WidgetStyle::heading || style == WidgetStyle::section);
  }

  void paint_button(const ViewNode& node) {
    const bool plain = node.widget->style == WidgetStyle::plain;
    const Bounds box = node.bounds;
    if (!plain) canvas_.fill(box, node.enabled ? palette_.accent : palette_.line, 60);
    const Colour ink = !node.enabled ? palette_.faint : plain ? palette_.accent : palette_.on_accent;
    canvas_.text(node.text, {box.left + 12, box.top, box.right - 12, box.bottom}, scaled(text_size(*node.widget)), ink,
                 Align::centre, true);
  }

  void paint_choice(const ViewNode& node) {
    const Bounds box = node.bounds;
    const Bounds mark{box.left, box.center().y - 27, box.left + 54, box.center().y + 27};
    const double radius = node.widget->kind == WidgetKind::radio ? 27 : 6;
    canvas_.outline(mark, node.checked ? palette_.accent : palette_.faint, radius, 6);
    if (node.checked) {
      canvas_.fill({mark.left + 13, mark.top + 13, mark.right - 13, mark.bottom - 13}, palette_.accent, radius);
    }
    canvas_.text(node.text, {box.left + 84, box.top, box.right, box.bottom}, scaled(body_text),
                 node.enabled ? palette_.text : palette_.faint);
  }

  void paint_field(const ViewNode& node) {
    const Bounds box = node.bounds;
    canvas_.outline(box, node.focused ? palette_.accent : palette_.faint, 15, node.focused ? 6 : 3);
    const Bounds inner{box.left + 36, box.top + 6, box.right - 24, box.bottom - 6};
    const int width =
        canvas_.text(node.text, inner, scaled(body_text), node.shows_hint ? palette_.faint : palette_.text);
    if (!node.focused) return;
    const int cursor = node.shows_hint ? inner.left - 6 : std::min(inner.left + width + 2, inner.right);
    canvas_.fill({cursor, box.top + 36, cursor + 4, box.bottom - 36}, palette_.accent);
  }

  void paint_app_icon(const ViewNode& node) {
    const Bounds box = node.bounds;
    const int left = box.center().x - 75;
    const Value icon = phone_.cell(node.item, 2);
    const Bounds square{left, box.top + 42, left + 150, box.top + 192};
    canvas_.fill(square, parse_colour(icon.text), 40);
    const std::size_t first = node.text.empty() || static_cast<unsigned char>(node.text[0]) >= 0x80 ? 0 : 1;
    canvas_.text(node.text.substr(0, first), square, 78, rgb(0xffffff), Align::centre, true);
    canvas_.text(node.text, {box.left + 6, square.bottom + 9, box.right - 6, box.bottom}, 36, palette_.text,
                 Align::centre);
  }

  void paint_keyboard() {
    const Bounds board = view_.keyboard;
    canvas_.fill(board, palette_.keyboard);
    for (int row = 0; row < static_cast<int>(std::size(keyboard_rows)); ++row) {
      for (int position = 0; position < static_cast<int>(keyboard_rows[row].size()); ++position) {
        paint_key(key_bounds(board, row, position), keyboard_rows[row].substr(static_cast<std::size_t>(position), 1));
      }
    }
    paint_key(space_key(board), "");
    paint_key(erase_key(board), "\u232b");
    paint_key(enter_key(board), "\u23ce");
  }

  void paint_key(Bounds box, std::string_view label) {
    const Bounds inner{box.left + 6, box.top + 8, box.right - 6, box.bottom - 8};
    canvas_.fill(inner, palette_.key, 15);
    canvas_.text(label, inner, 54, palette_.text, Align::centre);
  }

  const PhoneState& phone_;
  const ScreenView& view_;
  const Palette& palette_;
  int font_percent_;
  Canvas& canvas_;
};

}  // namespace

std::string ScreenPainter::paint() const {
  bool is_dark = false;
  int font_percent = 100;
  for (const AppDefinition& app : phone_.catalogue().apps()) {
    if (app.settings.dark_theme) is_dark = is_dark || phone_.variable(*app.settings.dark_theme).truth();
    if (app.settings.font_percent) {
      font_percent =
          static_cast<int>(std::clamp<std::int64_t>(phone_.variable(*app.settings.font_percent).number, 50, 200));
    }
  }
  ScreenView view;
  build_view(phone_, view);
  Canvas canvas(view.width, view.height);
  const Bounds display{0, 0, view.width, view.height};
  if (!phone_.screen_on) {
    canvas.fill(display, rgb(0x000000));
    return canvas.png();
  }
  const Palette& palette = is_dark ? dark : light;
  canvas.fill(display, palette.page);
  if (!(view.window == display)) {
    ScreenView beneath;
    build_view_beneath(phone_, beneath);
    ViewPainter(phone_, beneath, palette, font_percent, canvas).paint();
    canvas.fill(display, rgb(0x000000), 0, 0.5);
  }
  ViewPainter(phone_, view, palette, font_percent, canvas).paint();
  const Value time = phone_.variable({phone_scope, static_cast<std::uint16_t>(PhoneVariable::time)});
  canvas.text(time.text, {48, 6, 300, 60}, 36, palette.text, Align::left, true);
  canvas.fill({display.right - 110, 22, display.right - 50, 48}, palette.text, 6);
  canvas.fill({display.right / 2 - 180, display.bottom - 36, display.right / 2 + 180, display.bottom - 24},
              palette.faint, 6);
  return canvas.png();
}

}  // namespace drover::devices::simulated
