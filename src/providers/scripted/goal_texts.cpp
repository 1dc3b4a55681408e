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
  if (is_any(word(at), "e email mail") && is_any(word(at + 1), "mail address")) return word(at + 2) == "address" ? 3 : 2;
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
  if (is_any(word(at), "name address street city town title subject message text body surname label phone number "
                       "postcode zip description comment")) {
    return 1;
  }
  return 0;
}

/// Words that follow "email", "user" or "code" without being their text.
constexpr std::string_view never_a_text =
    "and with then for field in on my the a an into it or if settings setting page screen account accounts profile app "
    "menu list manager form dialog button name list entry box so that to reset history please details data";

class TextTaker {
 public:
  explicit TextTaker(std::vector<GoalToken>& tokens) : tokens_(tokens) {}

  std::vector<FieldText> take() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].used) continue;
      if (take_named(i, credential_name_length(tokens_, i), true)) continue;
      if (take_named(i, field_name_length(tokens_, i), false)) continue;
      take_email(i);
    }
    take_sign_in_identity();
    return std::move(texts_);
  }

 private:
  bool free_word(std::size_t i) const { return i < tokens_.size() && !tokens_[i].used; }

  void use(std::size_t i) {
    const auto end = tokens_[i].raw_end;
    for (; i < tokens_.size() && tokens_[i].begin < end; ++i) tokens_[i].used = true;
  }

  bool take_named(std::size_t at, std::size_t length, bool may_be_bare) {
    if (length == 0) return false;
    auto value = at + length;
    bool introduced = false;
    while (free_word(value) && !tokens_[value].is_quoted && is_any(tokens_[value].lower, "is as of to should be")) {
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
    for (auto i = at; i < value; ++i) tokens_[i].used = true;
    use(value);
    texts_.push_back(std::move(text));
    return true;
  }

  void take_email(std::size_t at) {
    if (tokens_[at].is_quoted || tokens_[at].raw.find('@') == std::string::npos) return;
    texts_.push_back({read_terms("email user name"), tokens_[at].raw});
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
        texts_.push_back({read_terms("user name email"), tokens_[at].raw});
        use(at);
      }
      while (at < tokens_.size() && (tokens_[at].used || is_any(tokens_[at].lower, "and with"))) ++at;
      const bool joined = at < tokens_.size() && at > 0;
      if (joined && !has(meaning("password")) && free_word(at) && plausible(at) && looks_secret(tokens_[at])) {
        texts_.push_back({read_terms("password"), tokens_[at].raw});
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
    return std::any_of(token.raw.begin(), token.raw.end(), [](char c) { return (c >= '0' && c <= '9') || c == '!' || c == '#'; });
  }

  bool has(Meaning field) const {
    return std::any_of(texts_.begin(), texts_.end(), [field](const FieldText& text) { return contains(text.field, field); });
  }

  std::vector<GoalToken>& tokens_;
  std::vector<FieldText> texts_;
};

}  // namespace

std::vector<FieldText> take_field_texts(std::vector<GoalToken>& tokens) {
  return TextTaker{tokens}.take();
}

}  // namespace drover::providers::scripted
