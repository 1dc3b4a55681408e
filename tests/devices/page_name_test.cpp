#include "devices/page_name.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "devices/dump_fixtures.hpp"

using namespace drover;
using namespace drover::devices;
using namespace drover::test;

namespace {

struct Variant {
  std::string title = "Basket";
  std::string user = "Hello, Anna Smith";
  std::string date = "12/15/2023";
  int first_item = 1;
  int items = 6;
  bool keyboard = false;
  int selected_tab = 1;
  std::string list_id = "com.shop:id/cart_list";
  std::string front;  ///< Nodes drawn over the page.
  bool ids = true;
};

std::string box(int left, int top, int right, int bottom) {
  return "bounds=\"[" + std::to_string(left) + "," + std::to_string(top) + "][" + std::to_string(right) + "," +
         std::to_string(bottom) + "]\"";
}

std::string text_view(const std::string& id, const std::string& text, const std::string& bounds) {
  return "<node class=\"android.widget.TextView\" package=\"com.shop\" resource-id=\"" + id + "\" text=\"" + text +
         "\" " + bounds + "/>";
}

// A shop's page with a toolbar, a list and tabs at the bottom.
std::string shop(const Variant& v) {
  const int bottom = v.keyboard ? 1400 : 2400;
  std::string list;
  for (int i = 0; i < v.items && 300 + 300 * i + 300 < bottom - 150; ++i) {
    auto number = std::to_string(v.first_item + i);
    list +=
        "<node class=\"android.widget.LinearLayout\" package=\"com.shop\" clickable=\"true\" "
        "resource-id=\"com.shop:id/row\" " +
        box(0, 300 + 300 * i, 1080, 600 + 300 * i) + ">" +
        text_view("com.shop:id/item_price_label", "Item " + number, box(0, 300 + 300 * i, 500, 400 + 300 * i)) +
        "</node>";
  }
  std::string tabs;
  for (int i = 0; i < 3; ++i) {
    static const char* names[] = {"nav_home", "nav_basket", "nav_profile"};
    tabs += "<node class=\"android.widget.FrameLayout\" package=\"com.shop\" clickable=\"true\" selected=\"" +
            std::string{i == v.selected_tab ? "true" : "false"} + "\" resource-id=\"com.shop:id/" + names[i] + "\" " +
            box(360 * i, bottom - 150, 360 * i + 360, bottom) + "/>";
  }
  auto dump = "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" package=\"com.shop\" " +
              box(0, 0, 1080, 2400) + ">" +
              "<node class=\"android.widget.FrameLayout\" package=\"com.shop\" resource-id=\"android:id/content\" " +
              box(0, 80, 1080, bottom) + ">" +
              "<node class=\"androidx.recyclerview.widget.RecyclerView\" package=\"com.shop\" scrollable=\"true\" "
              "resource-id=\"" +
              v.list_id + "\" " + box(0, 300, 1080, bottom - 150) + ">" + list + "</node>" +
              text_view("com.shop:id/toolbar_title", v.title, box(0, 80, 700, 180)) +
              text_view("com.shop:id/greeting", v.user, box(0, 180, 700, 230)) +
              text_view("com.shop:id/date", v.date, box(0, 230, 700, 290)) + tabs + "</node>" + v.front + "</node>";
  if (v.keyboard) {
    dump += "<node class=\"android.widget.FrameLayout\" package=\"com.google.android.inputmethod.latin\" " +
            box(0, 1400, 1080, 2400) +
            "><node class=\"android.widget.TextView\" text=\"q\" clickable=\"true\" "
            "package=\"com.google.android.inputmethod.latin\" " +
            box(0, 1500, 100, 1600) + "/></node>";
  }
  dump += "</hierarchy>";
  if (!v.ids) {
    const std::string attribute = "resource-id=\"";
    for (auto at = dump.find(attribute); at != std::string::npos; at = dump.find(attribute, at + 1)) {
      const auto value = at + attribute.size();
      dump.erase(value, dump.find('"', value) - value);
    }
  }
  return dump;
}

std::string page(const Variant& v) { return scene_of(shop(v), {1080, 2400}).page; }

}  // namespace

TEST_CASE("a page is named by its main container and the selected tab", "[W1]") {
  CHECK(page({}) == "com.shop/cart.basket");
}

TEST_CASE("a page keeps its name in every language and with other user data", "[W1]") {
  for (bool ids : {true, false}) {
    Variant plain;
    plain.ids = ids;
    auto name = page(plain);
    Variant other = plain;
    other.title = "買い物かご";
    other.user = "مرحبا، ليلى";
    other.date = "31 июля";
    CHECK(page(other) == name);
    other.title = "";
    CHECK(page(other) == name);
    other.title = "Sepet (12) \xE2\x80\x8F 11:00";
    CHECK(page(other) == name);
  }
}

TEST_CASE("a page keeps its name while its list scrolls, fills and empties") {
  for (bool ids : {true, false}) {
    Variant plain;
    plain.ids = ids;
    auto name = page(plain);
    Variant other = plain;
    other.first_item = 50;
    CHECK(page(other) == name);
    other.items = 1;
    CHECK(page(other) == name);
    other.items = 0;
    CHECK(page(other) == name);
  }
}

TEST_CASE("a page keeps its name while the keyboard is open") {
  for (bool ids : {true, false}) {
    Variant plain;
    plain.ids = ids;
    Variant typing = plain;
    typing.keyboard = true;
    CHECK(page(typing) == page(plain));
  }
}

TEST_CASE("different pages of an app have different names") {
  Variant orders;
  orders.list_id = "com.shop:id/orders_recycler_view";
  Variant home;
  home.selected_tab = 0;
  CHECK(page(orders) == "com.shop/orders.basket");
  CHECK(page(home) == "com.shop/cart.home");
  Variant anonymous;
  anonymous.ids = false;
  Variant next_tab = anonymous;
  next_tab.selected_tab = 2;
  CHECK(page(anonymous) == "com.shop/second_tab");
  CHECK(page(next_tab) == "com.shop/third_tab");
}

TEST_CASE("a dialog, a sheet and a drawer are told behind the page's name") {
  Variant dialog;
  dialog.front =
      "<node class=\"android.widget.FrameLayout\" package=\"com.shop\" resource-id=\"com.shop:id/parentPanel\" " +
      box(100, 900, 980, 1500) + ">" + text_view("com.shop:id/alertTitle", "Sure?", box(140, 940, 900, 1000)) +
      "</node>";
  CHECK(page(dialog) == "com.shop/cart.basket+dialog");
  Variant sheet;
  sheet.front =
      "<node class=\"android.widget.FrameLayout\" package=\"com.shop\" "
      "resource-id=\"com.shop:id/design_bottom_sheet\" " +
      box(0, 1500, 1080, 2400) + "/>";
  CHECK(page(sheet) == "com.shop/cart.basket+sheet");
  CHECK(scene_of(fixture("dialog_over_list.xml")).page == "com.example.shop/orders+dialog");
  CHECK(scene_of(
            hierarchy(
                "<node class=\"androidx.drawerlayout.widget.DrawerLayout\" package=\"com.a\" " + box(0, 0, 1080, 2400) +
                "><node class=\"android.view.View\" package=\"com.a\" resource-id=\"com.a:id/inbox_list\" text=\"x\" " +
                box(0, 0, 1080, 2400) +
                "/><node class=\"android.view.View\" package=\"com.a\" resource-id=\"com.a:id/side\" text=\"y\" " +
                box(0, 0, 800, 2400) + "/></node>"))
            .page == "com.a/inbox+drawer");
}

TEST_CASE("a dialog in a window of its own is told by its place") {
  auto dump = hierarchy("<node class=\"android.widget.FrameLayout\" package=\"com.a\" " + box(100, 900, 980, 1500) +
                        "><node class=\"android.widget.Button\" text=\"OK\" clickable=\"true\" package=\"com.a\" " +
                        box(700, 1400, 900, 1480) + "/></node>");
  CHECK(scene_of(dump, {1080, 2400}).page == "com.a+dialog");
  CHECK(scene_of(dump).page == "com.a+dialog");
}

TEST_CASE("a system surface in front is told behind the app's name") {
  auto shade = shop({});
  shade.insert(
      shade.size() - 12,
      "<node class=\"android.widget.FrameLayout\" package=\"com.android.systemui\" "
      "resource-id=\"com.android.systemui:id/notification_panel\" " +
          box(0, 0, 1080, 2000) +
          "><node class=\"android.widget.TextView\" text=\"No notifications\" package=\"com.android.systemui\" " +
          box(0, 300, 1080, 400) + "/></node>");
  CHECK(scene_of(shade).page == "com.shop/cart.basket+shade");
  CHECK(scene_of(fixture("permission_dialog.xml")).page == "com.android.permissioncontroller/permission+dialog");
}

TEST_CASE("a page without ids is named by its shape") {
  CHECK(scene_of(fixture("game_surface.xml")).page == "com.example.game/canvas");
  CHECK(scene_of(fixture("web_loading.xml")).page == "com.example.browser/web");
  CHECK(scene_of(fixture("react_native_cards.xml")).page == "com.example.native/screen");
  CHECK(scene_of(fixture("compose_chat.xml")).page == "com.example.chat/form");
}

TEST_CASE("page words leave out how a layout is built") {
  CHECK(page_words("com.shop:id/cart_fragment_container") == "cart");
  CHECK(page_words("com.shop:id/menuFragmentRootContainer") == "menu");
  CHECK(page_words("com.android.settings:id/main_content_scrollable_container") == "");
  CHECK(page_words("android:id/content") == "");
  CHECK(page_words("XMLHomeList") == "xml_home");
  CHECK(page_words("") == "");
}

TEST_CASE("page words hold no digits, no obfuscated names and no hashes") {
  CHECK(page_words("com.x:id/nx4") == "");
  CHECK(page_words("com.x:id/bj") == "");
  CHECK(page_words("com.x:id/jjs") == "");
  CHECK(page_words("order_20231215") == "order");
  CHECK(page_words("chat_42_7f3c") == "chat");
  CHECK(page_words("qwrtzpsdfg") == "");
  CHECK(page_words(std::string(5000, 'a')) == "");
}

TEST_CASE("page names are short and plain whatever the dump says") {
  auto long_name = std::string(300, 'p');
  auto scene =
      scene_of(hierarchy("<node class=\"a\" text=\"x\" package=\"com." + long_name + "\" resource-id=\"com.x:id/" +
                         "alpha_beta_gamma_delta\" " + box(0, 0, 100, 100) + "/>"));
  CHECK(scene.page.size() <= 80);
  CHECK(scene_of(hierarchy("<node text=\"x\" " + box(0, 0, 9, 9) + "/>")).page == "unknown/screen");
}
