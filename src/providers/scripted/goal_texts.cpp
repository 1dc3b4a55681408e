#include "providers/scripted/goal_texts.hpp"

#include <algorithm>
#include <string_view>

#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

bool is_any(std::string_view word, std::string_view list) {
  std::size_t at = 0;
  while (at < list.size()) {
    auto end = list.find(' ', at);
    if (end == std::string_view::npos) end = list.size();
    if (list.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

/// How many tokens from `at` name a credential, whose text may stand unquoted; 0 for none.
std::size_t credential_name_length(const std::vector<GoalToken>& tokens, std::size_t at) {
  const auto word = [&](std::size_t i) -> std::string_view {
    return i < tokens.size() && !tokens[i].used ? std::string_view{tokens[i].lower} : std::string_view{};
  };
  if (word(at) == "user" && is_any(word(at + 1), "name id")) return 2;
  if (is_any(word(at), "e email mail") && is_any(word(at + 1), "mail address")) {
    return word(at + 2) == "address" ? 3 : 2;
  }
  if (word(at) == "pin" && word(at + 1) == "code") return 2;
  if (is_any(word(at), "password passcode passphrase pin username user email login code voucher coupon")) return 1;
  return 0;
}

/// The same for other fields, whose text stands in quotes or after "is" or a colon.
std::size_t field_name_length(const std::vector<GoalToken>& tokens, std::size_t at) {
  const auto word = [&](std::size_t i) -> std::string_view {
    return i < tokens.size() && !tokens[i].used ? std::string_view{tokens[i].lower} : std::string_view{};
  };
  if (is_any(word(at), "phone mobile telephone card full first last street post postal zip delivery shipping") &&
      is_any(word(at + 1), "number name address code")) {
    return 2;
  }
  if (is_any(word(at),
             "name address street city town title subject text body surname label number "
             "postcode zip description comment")) {
    return 1;
  }
  return 0;
}

/// Words that follow "email", "user" or "code" without being their text.
constexpr std::string_view never_a_text =
    "and with then for field in on my the a an into it or if settings setting page screen account accounts profile app "
    "at which was will from by menu list manager form dialog button name list entry box so that to reset history "
    "please details data";

class TextTaker {
 public:
  explicit TextTaker(std::vector<GoalToken>& tokens) : tokens_(tokens) {}

  std::vector<FieldText> take() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].used) continue;
      if (take_called(i)) continue;
      if (take_named(i, credential_name_length(tokens_, i), true)) continue;
      if (take_named(i, field_name_length(tokens_, i), false)) continue;
      if (take_spoken_secret(i)) continue;
      take_email(i);
    }
    take_parenthesised();
    take_sign_in_identity();
    take_address();
    return std::move(texts_);
  }

 private:
  bool free_word(std::size_t i) const { return i < tokens_.size() && !tokens_[i].used; }

  void use(std::size_t i) {
    const auto end = tokens_[i].raw_end;
    for (; i < tokens_.size() && tokens_[i].begin < end; ++i) tokens_[i].used = true;
  }

  /// "call it Ferry", "named Ferry".
  bool take_called(std::size_t at) {
    const bool call = tokens_[at].lower == "call" || tokens_[at].lower == "name" || tokens_[at].lower == "label";
    if (!call || at + 2 >= tokens_.size() || tokens_[at + 1].lower != "it") return false;
    texts_.push_back({read_terms("label caption name title"), tokens_[at + 2].raw, tokens_[at + 2].begin});
    tokens_[at].used = tokens_[at + 1].used = true;
    use(at + 2);
    return true;
  }

  bool take_named(std::size_t at, std::size_t length, bool may_be_bare) {
    if (length == 0) return false;
    auto value = at + length;
    bool introduced = false;
    while (free_word(value) && !tokens_[value].is_quoted && is_any(tokens_[value].lower, "is as of should be")) {
      introduced = introduced || tokens_[value].lower == "is";
      ++value;
    }
    if (!free_word(value)) return false;
    introduced = introduced || tokens_[value].colon_before;
    const bool bare_fits = may_be_bare || introduced;
    if (!tokens_[value].is_quoted) {
      if (!bare_fits || tokens_[value].sentence_before || (tokens_[value].comma_before && !introduced)) return false;
      if (is_any(tokens_[value].lower, never_a_text)) return false;
    }
    FieldText text;
    text.field = read_terms(text_of(tokens_, at, at + length));
    text.text = tokens_[value].raw;
    text.at = tokens_[value].begin;
    if (contains(text.field, meaning("password")) && tokens_[at].paren_before) take_user_before(at);
    for (auto i = at; i < value; ++i) tokens_[i].used = true;
    use(value);
    texts_.push_back(std::move(text));
    return true;
  }

  /// "the word at the counter is espresso8": what it is for is said by what it looks like.
  bool take_spoken_secret(std::size_t at) {
    if (tokens_[at].is_quoted || !is_any(tokens_[at].lower, "word key secret passcode password code")) return false;
    for (auto i = at + 1; i < std::min(at + 7, tokens_.size()); ++i) {
      if (tokens_[i].used || tokens_[i].sentence_before) return false;
      if (tokens_[i].lower != "is" || !free_word(i + 1) || !looks_secret(tokens_[i + 1])) continue;
      texts_.push_back({read_terms("password"), tokens_[i + 1].raw, tokens_[i + 1].begin});
      for (auto k = at; k <= i; ++k) tokens_[k].used = true;
      use(i + 1);
      return true;
    }
    return false;
  }

  void take_user_before(std::size_t at) {
    if (at == 0 || has(meaning("user_name"))) return;
    const auto& user = tokens_[at - 1];
    if (user.used || user.is_quoted || is_any(user.lower, never_a_text) ||
        is_any(user.lower, "shop store account password")) {
      return;
    }
    texts_.push_back({read_terms("user name email"), user.raw, user.begin});
    use(at - 1);
  }

  /// "demo (demo1234)", "(anna@example.com, sunflower7)".
  void take_parenthesised() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].paren_before && free_word(i) && looks_secret(tokens_[i]) &&
          tokens_[i].raw.find('@') == std::string::npos && !has(meaning("password"))) {
        take_user_before(i);
        texts_.push_back({read_terms("password"), tokens_[i].raw, tokens_[i].begin});
        use(i);
      }
      const bool email = tokens_[i].raw.find('@') != std::string::npos;
      if (email && i + 1 < tokens_.size() && free_word(i + 1) && tokens_[i + 1].comma_before &&
          looks_secret(tokens_[i + 1]) && !has(meaning("password"))) {
        texts_.push_back({read_terms("password"), tokens_[i + 1].raw, tokens_[i + 1].begin});
        use(i + 1);
      }
    }
  }

  /// "Kim Roe, Elm Road 5, 10115 Berlin": name, street with a number, postcode with a city.
  void take_address() {
    for (std::size_t i = 2; i < tokens_.size(); ++i) {
      const bool postcode =
          free_word(i) && tokens_[i].comma_before && tokens_[i].lower.size() >= 4 && is_number(tokens_[i].lower);
      if (!postcode || !free_word(i + 1)) continue;
      std::size_t street = i - 1;
      if (!is_number(tokens_[street].lower)) continue;
      while (street > 0 && !tokens_[street].comma_before) --street;
      if (street == 0 || i - street > 6 || i - street < 2) continue;
      std::size_t name = street;
      while (name > 0 && street - name < 3 && is_capitalised(tokens_[name - 1]) && !tokens_[name].colon_before) --name;
      if (name == street) continue;
      std::size_t end = i + 1;
      while (free_word(end) && is_capitalised(tokens_[end]) && !tokens_[end].comma_before &&
             !tokens_[end].sentence_before) {
        ++end;
      }
      texts_.push_back({read_terms("name"), joined(name, street), tokens_[name].begin});
      texts_.push_back({read_terms("address"), joined(street, i), tokens_[street].begin});
      texts_.push_back({read_terms("city"), joined(i, end), tokens_[i].begin});
      for (auto k = name; k < end; ++k) tokens_[k].used = true;
      return;
    }
  }

  static bool is_capitalised(const GoalToken& token) {
    return !token.is_quoted && !token.used && !token.raw.empty() && token.raw[0] >= 'A' && token.raw[0] <= 'Z';
  }

  std::string joined(std::size_t begin, std::size_t end) const {
    std::string text;
    for (auto i = begin; i < end; ++i) text += (text.empty() ? "" : " ") + tokens_[i].raw;
    return text;
  }

  void take_email(std::size_t at) {
    if (tokens_[at].is_quoted || tokens_[at].raw.find('@') == std::string::npos) return;
    texts_.push_back({read_terms("email user name"), tokens_[at].raw, tokens_[at].begin});
    use(at);
  }

  /// "sign in as mia", "log in with mia and Tea4two", "log in with mia / Tea4two".
  void take_sign_in_identity() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (tokens_[i].is_quoted || !is_any(stem(tokens_[i].lower), "log sign login signin")) continue;
      auto at = i + 1;
      while (at < tokens_.size() && !tokens_[at].is_quoted &&
             is_any(tokens_[at].lower, "in on to me the shop store app account into my")) {
        ++at;
      }
      const bool as = at < tokens_.size() && tokens_[at].lower == "as";
      const bool with = at < tokens_.size() && is_any(tokens_[at].lower, "with using");
      if (!as && !with) continue;
      ++at;
      while (free_word(at) && !tokens_[at].is_quoted && is_any(tokens_[at].lower, "user the customer")) ++at;
      if (!has(meaning("user_name")) && free_word(at) && plausible(at)) {
        texts_.push_back({read_terms("user name email"), tokens_[at].raw, tokens_[at].begin});
        use(at);
      }
      while (at < tokens_.size() && (tokens_[at].used || is_any(tokens_[at].lower, "and with"))) ++at;
      const bool joined = at < tokens_.size() && at > 0;
      if (joined && !has(meaning("password")) && free_word(at) && plausible(at) && looks_secret(tokens_[at])) {
        texts_.push_back({read_terms("password"), tokens_[at].raw, tokens_[at].begin});
        use(at);
      }
      return;
    }
  }

  bool plausible(std::size_t at) const {
    return tokens_[at].is_quoted || (!tokens_[at].sentence_before && !is_any(tokens_[at].lower, "my the a your"));
  }

  /// Unquoted, only what no ordinary word looks like is taken for a password.
  static bool looks_secret(const GoalToken& token) {
    if (token.is_quoted) return true;
    return std::any_of(token.raw.begin(), token.raw.end(),
                       [](char c) { return (c >= '0' && c <= '9') || c == '!' || c == '#'; });
  }

  bool has(Meaning field) const {
    return std::any_of(texts_.begin(), texts_.end(),
                       [field](const FieldText& text) { return contains(text.field, field); });
  }

  std::vector<GoalToken>& tokens_;
  std::vector<FieldText> texts_;
};

}  // namespace

std::vector<FieldText> take_field_texts(std::vector<GoalToken>& tokens) { return TextTaker{tokens}.take(); }

}  // namespace drover::providers::scripted
