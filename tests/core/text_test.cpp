#include "core/text.hpp"

#include <catch2/catch.hpp>

#include "core/utf8.hpp"

using namespace drover;

TEST_CASE("text that is valid UTF-8 comes out of the repair as it was") {
  const std::string text = "Wi-Fi\tverbunden\nGröße 5 € 日本語 🙂";
  CHECK(repair_utf8(text) == text);
  CHECK(is_valid_utf8(text));
  CHECK(repair_utf8("").empty());
}

TEST_CASE("bytes that are not UTF-8 become one replacement character per fault") {
  CHECK(repair_utf8("a\xFF"
                    "b") == "a\uFFFDb");
  CHECK(repair_utf8("\xC3") == "\uFFFD");
  CHECK(repair_utf8("\xE2\x82") == "\uFFFD");
  CHECK(repair_utf8("\xE2\x82x") == "\uFFFDx");
  CHECK(repair_utf8("\xF0\x9F\x99") == "\uFFFD");
  CHECK(repair_utf8("\x80\x80") == "\uFFFD\uFFFD");
  CHECK_FALSE(is_valid_utf8("\xE2\x82"));
}

TEST_CASE("overlong forms and code points beyond the last are repaired") {
  CHECK(repair_utf8("\xC0\xAF") == "\uFFFD\uFFFD");
  CHECK(repair_utf8("\xE0\x80\xAF") == "\uFFFD\uFFFD\uFFFD");
  CHECK(repair_utf8("\xF4\x90\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(is_valid_utf8("\xF4\x8F\xBF\xBF"));
}

TEST_CASE("a lone surrogate becomes a single replacement character") {
  CHECK(repair_utf8("x\xED\xA0\xBDy") == "x\uFFFDy");
  CHECK_FALSE(is_valid_utf8("\xED\xBF\xBF"));
  CHECK(is_valid_utf8("\xED\x9F\xBF"));
}

TEST_CASE("control characters except tab and newline become spaces") {
  CHECK(repair_utf8(std::string("a\0b\x1B[31m\r\n\tc", 12)) == "a b [31m \n\tc");
}

TEST_CASE("whatever bytes go in, the repaired text is valid") {
  std::uint32_t state = 12345;
  for (int round = 0; round < 500; ++round) {
    std::string bytes;
    for (int i = 0; i < 40; ++i) {
      state = state * 1664525U + 1013904223U;
      bytes += static_cast<char>(state >> 24 | (round % 2 == 0 ? 0x80U : 0U));
    }
    const std::string repaired = repair_utf8(bytes);
    CHECK(is_valid_utf8(repaired));
    CHECK(repair_utf8(repaired) == repaired);
  }
}

TEST_CASE("a code point that is written is the one that is read") {
  for (const char32_t c : {U'a', U'\u00FF', U'\u07FF', U'\u0800', U'\uFFFF', U'\U00010000', U'\U0010FFFF'}) {
    std::string text;
    append_utf8(c, text);
    const CodePoint read = decode_utf8(text, 0);
    CHECK(read.value == c);
    CHECK(read.bytes == text.size());
    CHECK(read.well_formed);
  }
}

TEST_CASE("a text is shortened between code points and the mark counts") {
  CHECK(shorten("abcdef", 6) == "abcdef");
  CHECK(shorten("abcdefg", 6) == "abc…");
  CHECK(shorten("ääää", 7) == "ää…");
  CHECK(shorten("ääää", 6) == "ä…");
  CHECK(shorten("日本語", 8) == "日…");
  CHECK(shorten("abcdef", 2) == "ab");
  CHECK(shorten("äb", 1).empty());
  CHECK(shorten("abc", 0).empty());
}

TEST_CASE("a label loses invisible marks and has single spaces") {
  CHECK(tidy_label("Airplane mode") == "Airplane mode");
  CHECK(tidy_label("  Home\n Tab 1\u00A0of\u20284 ") == "Home Tab 1 of 4");
  CHECK(tidy_label("\u200EAir\u00ADplane\u2066 mode\u2069\u200F") == "Airplane mode");
  CHECK(tidy_label("\u202Eevil\u202C\uFEFF\uFFFC") == "evil");
  CHECK(tidy_label("\u3000全角\u3000").compare("全角") == 0);
  CHECK(tidy_label(" \u200B \u200B ").empty());
  CHECK(tidy_label("a \u200B b") == "a b");
}

TEST_CASE("a joiner between two emoji stays and any other goes") {
  CHECK(tidy_label("👩\u200D💻 work") == "👩\u200D💻 work");
  CHECK(tidy_label("❤\uFE0F\u200D🔥") == "❤\uFE0F\u200D🔥");
  CHECK(tidy_label("a\u200Db") == "ab");
  CHECK(tidy_label("👩\u200D") == "👩");
}

TEST_CASE("case is folded in the scripts that have it") {
  CHECK(fold_case("SIGN In") == "sign in");
  CHECK(fold_case("ÄRGER Çö") == "ärger çö");
  CHECK(fold_case("ПРИВЕТ Ёж") == "привет ёж");
  CHECK(fold_case("ΑΘΗΝΑΣ") == fold_case("αθηνας"));
  CHECK(fold_case("ŁÓDŹ Ž") == "łódź ž");
  CHECK(fold_case("İPTAL Iı") == "iptal ii");
  CHECK(fold_case("ＯＫ") == "ｏｋ");
  CHECK(fold_case("設定 ×÷") == "設定 ×÷");
  CHECK(to_lower_ascii("AbÄ") == "abÄ");
}

TEST_CASE("the edit distance counts inserts, deletes, replacements and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("planner", "planner") == 0);
  CHECK(edit_distance("planner", "planer") == 1);
  CHECK(edit_distance("planner", "lpanner") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("größe", "grösse") == 2);
}

TEST_CASE("the token estimate is near what a byte-pair encoding counts") {
  struct Sample {
    std::string text;
    double tokens;  // the mean of the encodings of 100,000 and of 200,000 entries
  };
  const Sample samples[] = {
      {"page com.android.settings/network app com.android.settings size 1080x2400\n"
       "1 list\n 2 item \"Wi-Fi, Connected\"\n 3 toggle \"Airplane mode\" off\n"
       " 4 field \"Search\" =\"shoes\" focused\n 5 button #close disabled\n"
       " 6 item \"Mobile network, Vodafone\"\n 7 item \"Data usage, 1.2 GB used this month\"\n"
       " 8 toggle \"Hotspot & tethering\" off\n 9 button \"Add a network\"\n",
       103.5},
      {"You are given the present screen of a phone as a list of elements. Choose exactly one action that brings the "
       "task nearer to its goal, and say in one or two sentences what the previous step achieved before you call the "
       "tool. Never guess coordinates that the screen does not show.",
       56},
      {"[{\"id\":1,\"role\":\"button\",\"label\":\"Add to basket\"},{\"id\":2,\"role\":\"text\",\"label\":\"Total "
       "19.90\"}]",
       33},
      {"Нажмите кнопку, чтобы продолжить установку приложения на телефон", 17},
      {"每日记录，守护健康。开始记录您的血压，保持安静休息五分钟后再测量。", 31.5},
  };
  for (const Sample& sample : samples) {
    CAPTURE(sample.text);
    const auto estimate = static_cast<double>(estimate_tokens(sample.text));
    CHECK(estimate >= sample.tokens * 0.85);
    CHECK(estimate <= sample.tokens * 1.35);
  }
  CHECK(estimate_tokens("") == 0);
}
