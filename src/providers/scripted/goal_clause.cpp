#include "providers/scripted/goal_clause.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "providers/scripted/goal_idioms.hpp"
#include "providers/scripted/goal_verbs.hpp"
#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::string_view creatable_names[] = {"note",  "task",    "reminder", "alarm",    "timer", "event",
                                                "contact", "message", "photo",    "playlist", "entry", "address"};
constexpr std::string_view place_words =
    "settings setting menu page app screen section tab list category basket cart shop store account launcher folder "
    "drawer preferences phone device smartphone handset mobile";
constexpr std::string_view device_words = "phone device smartphone handset mobile this the my it a its";
constexpr std::string_view comparatives =
    "bigger larger smaller louder quieter brighter darker dimmer longer shorter higher lower";
constexpr std::string_view downward = "smaller quieter darker dimmer shorter lower";

class ClauseReader {
 public:
  ClauseReader(std::string_view text, const std::vector<GoalToken>& tokens, const Clause& clause, Goal& goal)
      : text_(text), tokens_(tokens), begin_(clause.begin), end_(clause.end), goal_(goal) {}

  void read() {
    clause_end_ = end_;
    skip_fillers();
    if (begin_ >= end_) return;
    // "without buying it" is no part of its own.
    if (const auto without = find_word("without", begin_ + 1); without < end_) end_ = without;
    terms_ = read_terms(text_of(tokens_, begin_, end_));
    if (read_given_text()) return;
    if (terms_.empty() && !has_quoted()) return;
    if (read_by()) return;
    const bool goods = is(begin_, "add put buy order purchase find search get");
    if (!goods) {
      if (auto idiom = read_idiom(text_of(tokens_, begin_, end_))) {
        finish(*std::move(idiom));
        return;
      }
    }
    if (read_statement() || read_saying() || read_naming() || read_signing() || read_switch() || read_check_out() || read_create() || read_marking() || read_putting_away() || read_goods() || read_removal() ||
        read_value() || read_typing() || read_question() || read_search() || read_reaching()) {
      return;
    }
    GoalPart part = make(ensure_ ? PartKind::find : PartKind::operate, begin_, end_);
    if (ensure_) part.value = original(begin_, end_);
    finish(std::move(part));
  }

 private:
  // --- looking at tokens ---

  std::string_view word(std::size_t at) const {
    return at < end_ && !tokens_[at].used && !tokens_[at].is_quoted ? std::string_view{tokens_[at].lower}
                                                                    : std::string_view{};
  }
  bool is(std::size_t at, std::string_view list) const { return is_one_of(word(at), list); }

  std::size_t find_word(std::string_view list, std::size_t from) const {
    for (auto i = from; i < end_; ++i) {
      if (is(i, list)) return i;
    }
    return end_;
  }
  std::size_t find_last(std::string_view list, std::size_t from) const {
    auto found = end_;
    for (auto i = from; i < end_; ++i) {
      if (is(i, list)) found = i;
    }
    return found;
  }

  bool has_quoted() const {
    return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin_), tokens_.begin() + static_cast<std::ptrdiff_t>(end_),
                       [](const GoalToken& token) { return token.is_quoted && !token.used; });
  }

  Terms terms_between(std::size_t begin, std::size_t end) const { return read_terms(text_of(tokens_, begin, end)); }

  /// The words as the goal writes them, without a leading article.
  std::string original(std::size_t begin, std::size_t end) const {
    while (begin < end && is(begin, "the a an my")) ++begin;
    std::string result;
    for (auto i = begin; i < end; ++i) {
      if (tokens_[i].used) continue;
      if (i > begin && !tokens_[i].is_quoted && tokens_[i].begin < tokens_[i - 1].raw_end) continue;
      if (!result.empty()) result += ' ';
      result += tokens_[i].raw;
    }
    return result;
  }

  std::string quoted_text() const {
    for (auto i = begin_; i < end_; ++i) {
      if (tokens_[i].is_quoted && !tokens_[i].used) return tokens_[i].quoted;
    }
    return {};
  }

  /// "Anna wants to …": where what she wants begins; `begin_` where nobody wants anything.
  std::size_t behind_wish() const {
    const auto& name = tokens_[begin_].raw;
    if (name.empty() || name[0] < 'A' || name[0] > 'Z' || is(begin_, "the a an i it this")) return begin_;
    auto at = begin_ + 1;
    while (at < end_ && tokens_[at].used) ++at;
    return is(at, "wants needs wishes") && is(at + 1, "to") && at + 2 < end_ ? at + 2 : begin_;
  }

  void skip_fillers() {
    while (begin_ < end_) {
      if (tokens_[begin_].used) {
        ++begin_;
      } else if ((is(begin_, "make") && is(begin_ + 1, "sure")) || (is(begin_, "check verify confirm") && is(begin_ + 1, "that"))) {
        ensure_ = true;
        begin_ += 2;
      } else if (const auto verb = behind_wish(); verb > begin_) {
        begin_ = verb;
      } else if (is(begin_, "go") && is(begin_ + 1, "ahead and")) {
        begin_ += 2;
      } else if (is(begin_, "ensure verify confirm assure")) {
        ensure_ = true;
        ++begin_;
      } else if (is(begin_, verbs::fillers) && begin_ + 1 < end_ && !(is(begin_, "like") && begins_clause(tokens_, begin_))) {
        ++begin_;
      } else if (ensure_ && is(begin_, "that")) {
        ++begin_;
      } else {
        break;
      }
    }
    while (end_ > begin_ && (tokens_[end_ - 1].used || is(end_ - 1, "please and then too again now"))) --end_;
  }

  // --- making parts ---

  GoalPart make(PartKind kind, std::size_t begin, std::size_t end) {
    GoalPart part;
    part.kind = kind;
    part.text = original(begin_, end_);
    end = std::min(end, find_word("when whenever while because if so since until", begin + 1));
    std::size_t object_end = end;
    for (auto i = begin + 1; i + 1 < end; ++i) {
      if (!is(i, "in on under inside within from at of for to into")) continue;
      const auto rest = terms_between(i + 1, end);
      const bool named = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                     tokens_.begin() + static_cast<std::ptrdiff_t>(end),
                                     [](const GoalToken& token) { return is_one_of(token.lower, place_words); });
      const bool close = end - i <= 4;
      if (!named || !close || (is(i, "of for to into") && !is(end - 1, "phone device smartphone app"))) continue;
      if (!device_only(i + 1, end)) part.place = rest;
      object_end = i;
      break;
    }
    part.object = pick_and_count(part, begin, object_end);
    return part;
  }

  bool device_only(std::size_t begin, std::size_t end) const {
    for (auto i = begin; i < end; ++i) {
      if (!is(i, device_words)) return false;
    }
    return true;
  }

  /// Reads "two", "the cheapest" and the like off the object's words.
  Terms pick_and_count(GoalPart& part, std::size_t begin, std::size_t end) {
    std::string rest;
    for (auto i = begin; i < end; ++i) {
      if (tokens_[i].used) continue;
      const auto w = word(i);
      if (is_one_of(w, "cheapest")) {
        part.pick = Pick::cheapest;
      } else if (w == "most" && is(i + 1, "expensive")) {
        part.pick = Pick::dearest;
        ++i;
      } else if (w == "least" && is(i + 1, "expensive")) {
        part.pick = Pick::cheapest;
        ++i;
      } else if (is_one_of(w, "dearest priciest")) {
        part.pick = Pick::dearest;
      } else if (w == "most" && is(i + 1, "recent")) {
        part.pick = Pick::first;
        ++i;
      } else if (is_one_of(w, "first top newest latest topmost") && part.pick == Pick::any && i + 1 < end) {
        part.pick = Pick::first;
      } else if (w == "last" && i + 1 < end) {
        part.pick = Pick::last;
      } else if (rest.empty() && is_one_of(w, "page screen product details view settings part section") && is(i + 1, "of for page about") && i + 2 < end) {
        if (is(i + 1, "page")) ++i;
        ++i;
      } else if (part.kind == PartKind::add && is_one_of(w, "twice")) {
        part.quantity = 2;
      } else if (part.kind == PartKind::add && w == "couple") {
        part.quantity = 2;
      } else if (part.kind == PartKind::add && is_one_of(w, "pair pairs piece pieces times copies unit units x")) {
        continue;
      } else if (part.kind == PartKind::add && rest.empty() && counts(w)) {
        part.quantity = std::clamp(count_of(w), 1, 50);
      } else {
        if (!rest.empty()) rest += ' ';
        rest += tokens_[i].is_quoted ? tokens_[i].quoted : tokens_[i].lower;
      }
    }
    auto terms = read_terms(rest);
    part.object_text = search_words(rest, terms);
    const bool meaty = std::any_of(terms.begin(), terms.end(), [](const Term& term) { return term.weight >= 1; });
    if (meaty) std::erase_if(terms, [](const Term& term) { return term.weight < 1; });
    return terms;
  }

  /// From the first word that says something to the last.
  static std::string search_words(const std::string& text, const Terms& terms) {
    if (terms.empty()) return {};
    return text.substr(terms.front().begin, terms.back().end - terms.front().begin);
  }

  static std::string_view without_times_sign(std::string_view w) {
    if (w.size() > 1 && w.back() == 'x' && is_number(w)) w.remove_suffix(1);
    return w;
  }
  static bool counts(std::string_view w) { return small_number(without_times_sign(w)) > 0; }
  static int count_of(std::string_view w) { return small_number(without_times_sign(w)); }

  bool finish(GoalPart part) {
    goal_.parts.push_back(std::move(part));
    return true;
  }

  bool is_setting(const Terms& terms) const { return usual_app(terms) == "settings"; }

  // --- the kinds ---

  /// "use the code SPRING10": the text was taken, the act is left.
  bool read_given_text() {
    if (!is(begin_, "use enter apply redeem type") || has_quoted()) return false;
    const auto first = tokens_[begin_].begin;
    const auto last = clause_end_ < tokens_.size() ? tokens_[clause_end_].begin : text_.size();
    for (auto& given : goal_.texts) {
      if (given.at < first || given.at >= last || contains(given.field, meaning("password"))) continue;
      const bool all_said = std::all_of(terms_.begin(), terms_.end(), [](const Term& term) { return term.weight < 1; });
      if (!all_said) return false;
      GoalPart part;
      part.kind = PartKind::type;
      part.text = original(begin_, end_) + " " + given.text;
      part.object = given.field;
      // In a shop a code without a name is a voucher's.
      if (part.object.size() == 1 && part.object.front().stem == stem("code")) {
        part.object = read_terms("voucher");
        given.field.insert(given.field.end(), part.object.begin(), part.object.end());
      }
      part.value = given.text;
      return finish(std::move(part));
    }
    return false;
  }

  /// "Save power by turning on the battery saver": the means is what is to be done.
  bool read_by() {
    const auto by = find_word("by", begin_ + 1);
    if (by >= end_ || !is_one_of(stem(word(by + 1)), "turn switch enabl activat disabl put set open us")) return false;
    const auto whole_begin = begin_;
    begin_ = by + 1;
    terms_ = read_terms(text_of(tokens_, begin_, end_));
    if (read_switch()) return true;
    begin_ = whole_begin;
    terms_ = read_terms(text_of(tokens_, begin_, end_));
    return false;
  }

  /// "Two jackets should be in the basket", "the alarm should ring".
  bool read_statement() {
    if (begins_clause(tokens_, begin_) || is(begin_, verbs::telling)) return false;
    const auto should = find_word("should must needs", begin_ + 1);
    if (should < end_ && contains(terms_between(should, end_), meaning("basket"))) {
      const auto before = goal_.parts.size();
      goods_between(begin_, should);
      // What the basket is to hold is to be seen there.
      for (auto i = before; i < goal_.parts.size(); ++i) goal_.parts[i].place = read_terms("basket");
      return true;
    }
    if (should < end_ && contains(terms_between(should, end_), meaning("pin_top"))) {
      auto part = make(PartKind::operate, begin_, should);
      const auto verb = read_terms("pin note");
      part.object.insert(part.object.begin(), verb.begin(), verb.end());
      return finish(std::move(part));
    }
    if (should < end_ && is(end_ - 1, "ring work run active go")) return switch_parts(true, begin_, should);
    // "The speaker was given away; the phone should forget it."
    if (should < end_ && is_one_of(word(should + 1), "forget lose drop delete remove")) {
      auto part = make(PartKind::remove, should + 2, end_);
      return finish(std::move(part));
    }
    const auto fact = find_word("was is were has have are", begin_ + 1);
    if (should < end_ || fact >= end_ || ensure_ || end_ == tokens_.size() || is(end_ - 1, "on off enabled disabled")) return false;
    // A fact that something later refers to.
    GoalPart part;
    part.kind = PartKind::read;
    part.object = pick_and_count(part, begin_, fact);
    goal_.context = part.object;
    return true;
  }

  /// "Tell Nora that Friday is fine", "Ask Jonas: which one?"
  bool read_saying() {
    if (!is(begin_, "tell ask text answer reply write") || begin_ + 2 >= end_) return false;
    const auto to = begin_ + 1;
    const auto& name = tokens_[to];
    const bool is_name = !name.is_quoted && !name.raw.empty() && name.raw[0] >= 'A' && name.raw[0] <= 'Z';
    if (!is_name || is(to, "me us")) return false;
    auto from = to + 1;
    while (from < end_ && !tokens_[from].colon_before && from < to + 3 && !tokens_[from].is_quoted && tokens_[from].raw[0] >= 'A' && tokens_[from].raw[0] <= 'Z') ++from;
    GoalPart part;
    part.kind = PartKind::create;
    part.text = original(begin_, end_);
    part.object = read_terms("message");
    part.place = read_terms(original(to, from));
    goal_.texts.push_back({read_terms("recipient contact"), original(to, from), name.begin});
    if (is(from, "that")) ++from;
    part.value = quoted_text().empty() ? slice(from, end_) : quoted_text();
    return finish(std::move(part));
  }

  /// "Call this phone Bench 4."
  bool read_naming() {
    if (!is(begin_, "call name") || !is(begin_ + 1, "this the my") || !is(begin_ + 2, "phone device handset") || begin_ + 3 >= end_) return false;
    GoalPart part;
    part.kind = PartKind::set_value;
    part.text = original(begin_, end_);
    part.object = read_terms("device name");
    part.value = slice(begin_ + 3, end_);
    return finish(std::move(part));
  }

  /// The goal's own bytes from one token to another, with a question or exclamation mark behind.
  std::string slice(std::size_t from, std::size_t until) const {
    if (from >= until) return {};
    const auto begin = tokens_[from].begin;
    auto end = tokens_[until - 1].raw_end;
    if (end < text_.size() && (text_[end] == '?' || text_[end] == '!')) ++end;
    return std::string{text_.substr(begin, end - begin)};
  }

  bool read_signing() {
    if (is(begin_, verbs::reaching) || ensure_) return false;
    const auto early = Terms(terms_.begin(), terms_.begin() + std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(terms_.size())));
    if (contains(early, meaning("sign_out"))) return finish(make(PartKind::sign_out, begin_, end_));
    if (!contains(early, meaning("sign_in"))) return false;
    auto part = make(PartKind::sign_in, begin_, end_);
    part.refusal_expected = find_word("refused fail fails rejected denied impossible", begin_) < end_;
    return finish(std::move(part));
  }

  bool switch_parts(bool on, std::size_t begin, std::size_t end) {
    std::size_t from = begin;
    bool any = false;
    const auto add = [&](std::size_t until) {
      while (from < until && is(from, "both the and")) ++from;
      if (terms_between(from, until).empty()) return;
      auto part = make(PartKind::set_switch, from, until);
      part.on = on;
      part.text = (on ? "turn on " : "turn off ") + original(from, until);
      if (part.object.empty()) return;
      goal_.parts.push_back(std::move(part));
      any = true;
    };
    for (auto i = begin; i < end; ++i) {
      const bool border = is(i, "and") || (tokens_[i].comma_before && i > from);
      if (!border) continue;
      add(i);
      from = is(i, "and") ? i + 1 : i;
    }
    add(end);
    return any;
  }

  bool switch_without(bool on, std::size_t begin, std::size_t hole) {
    if (hole + 1 >= end_) return switch_parts(on, begin, hole);
    return switch_parts(on, hole == begin ? hole + 1 : begin, end_ == hole + 1 ? hole : end_);
  }

  bool read_switch() {
    const auto w = word(begin_);
    if (is_one_of(w, "turn switch leave keep toggle get have put set")) {
      const auto state = find_word("on off", begin_ + 1);
      // "switch the notifications on in the account"
      if (state < end_ && state > begin_ + 1 && is(state + 1, "in at for within from of")) {
        const auto before = goal_.parts.size();
        if (switch_parts(word(state) == "on", begin_ + 1, state)) {
          for (auto i = before; i < goal_.parts.size(); ++i) goal_.parts[i].place = terms_between(state + 2, end_);
          return true;
        }
      }
      const bool fits = state < end_ && (state == begin_ + 1 || state + 1 == end_ || !is(state + 1, "the a my this"));
      if (fits && (state == begin_ + 1 || state + 1 == end_)) {
        const bool on = word(state) == "on";
        if (state == begin_ + 1) return switch_parts(on, state + 1, end_);
        return switch_parts(on, begin_ + 1, is(state - 1, "to") ? state - 1 : state);
      }
    }
    if (is_one_of(w, "enable activate")) return switch_parts(true, begin_ + 1, end_);
    if (is_one_of(w, "disable deactivate")) return switch_parts(false, begin_ + 1, end_);
    if (is_one_of(w, "mute silence")) return mute(true);
    if (w == "unmute") return mute(false);
    if (is_one_of(w, "put set bring get switch change go") && read_mode()) return true;
    if (is_one_of(w, "take get bring come switch")) {
      const auto out = find_word("out", begin_ + 1);
      if (out < end_ && is(out + 1, "of")) return switch_parts(false, out + 2, end_);
    }
    if (is_one_of(w, "stop prevent keep")) {
      const auto from = find_word("from", begin_ + 1);
      const auto object = from < end_ ? from + 1 : begin_ + 1;
      if ((from < end_ || w == "stop") && is_setting(terms_between(object, end_))) return switch_parts(false, object, end_);
    }
    if (is_one_of(w, "let have allow") && is_setting(terms_between(begin_ + 1, end_))) return switch_parts(true, begin_ + 1, end_);
    if (is_one_of(w, "block forbid deny") && is_setting(terms_between(begin_ + 1, end_))) return switch_parts(false, begin_ + 1, end_);
    if (is_one_of(w, "use join connect") && contains(terms_, meaning("network"))) {
      GoalPart part;
      part.kind = PartKind::set_value;
      part.text = original(begin_, end_);
      part.object = read_terms("network");
      for (auto i = begin_ + 1; i < end_; ++i) {
        if (is(i, "the of a to network networks wifi called named my")) continue;
        part.value += (part.value.empty() ? "" : " ") + tokens_[i].raw;
      }
      if (!part.value.empty()) return finish(std::move(part));
    }
    if (w == "use" && is_setting(terms_between(begin_ + 1, end_)) && find_word("to for", begin_) == end_) {
      return switch_parts(true, begin_ + 1, end_);
    }
    if (is_one_of(w, "dont never no not without") && is_setting(terms_between(begin_ + 1, end_))) return switch_parts(false, begin_ + 1, end_);
    const auto negation = find_word("not dont never shouldnt mustnt", begin_);
    if (negation < end_ && (!is(begin_, verbs::certain) || w == "do") && is_setting(terms_between(negation + 1, end_))) {
      return switch_parts(false, negation + 1, end_);
    }
    return read_state_at_end();
  }

  bool mute(bool on) {
    auto part = make(PartKind::set_switch, begin_ + 1, end_);
    part.on = on;
    if (part.object.empty() || device_only(begin_ + 1, end_)) part.object = read_terms("silent");
    return finish(std::move(part));
  }

  /// "put the phone into flight mode", "switch to dark mode".
  bool read_mode() {
    const auto into = find_word("into in to on", begin_ + 1);
    if (into >= end_ || into + 1 >= end_) return false;
    const bool device = into == begin_ + 1 || device_only(begin_ + 1, into);
    if (!device || is(begin_, "go")) return false;
    if (!is_setting(terms_between(into + 1, end_))) return false;
    return switch_parts(true, into + 1, end_);
  }

  /// "the vibration should be off", "make sure Wi-Fi is on".
  bool read_state_at_end() {
    if (end_ - begin_ < 2) return false;
    const auto last = end_ - 1;
    const bool on = is(last, "on enabled active activated allowed");
    const bool off = is(last, "off disabled inactive deactivated");
    if (!on && !off) return false;
    if (begins_clause(tokens_, begin_) && !ensure_ && !is(begin_, "want need have get keep leave make")) return false;
    auto until = last;
    while (until > begin_ && is(until - 1, "is are be being should must stays stay turned switched to set remains to")) --until;
    return switch_parts(on, begin_, until);
  }

  bool read_check_out() {
    if (is(begin_, verbs::reaching) && !contains(terms_, meaning("place_order"))) return false;
    const bool pronoun = is(begin_ + 1, "it them that this everything these those all");
    const bool ordering = is(begin_, "buy order purchase") && (pronoun || contains(terms_, meaning("basket")));
    const bool names_it = contains(terms_, meaning("checkout")) || contains(terms_, meaning("place_order")) ||
                          (is(begin_, "pay") && end_ - begin_ <= 8) || (is(begin_, "complete finish") && contains(terms_, meaning("order")));
    if (!ordering && !names_it) return false;
    if (is(begin_, "check") && is(begin_ + 1, "out") && is(begin_ + 2, "the") && !contains(terms_, meaning("basket"))) {
      return finish(make(PartKind::reach, begin_ + 2, end_));
    }
    return finish(make(PartKind::check_out, begin_, end_));
  }

  std::optional<std::size_t> creatable() const {
    for (const auto& term : terms_) {
      for (const auto name : creatable_names) {
        if (term.meaning != meaning(name)) continue;
        for (auto i = begin_; i < end_; ++i) {
          if (!tokens_[i].is_quoted && stem(tokens_[i].lower) == term.stem) return i;
        }
      }
    }
    return std::nullopt;
  }

  bool read_create() {
    if (contains(terms_, meaning("basket"))) return false;
    const auto w = word(begin_);
    const bool wakes = is_one_of(w, "wake remind note jot");
    if (!wakes && !is_one_of(w, "create make write add compose set save start schedule send new")) return false;
    const auto at = creatable();
    const bool counted = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin_), tokens_.begin() + static_cast<std::ptrdiff_t>(end_),
                                     [](const GoalToken& token) { return small_number(token.lower) > 0 || is_number(token.lower); });
    if (w == "start" && !counted) return false;
    if (w == "write" && is(begin_ + 1, "down") && read_note_under()) return true;
    if (!at && !wakes) return false;
    GoalPart part = make(PartKind::create, begin_ + 1, end_);
    if (w == "note" || w == "jot") {
      part.object = read_terms("note");
      part.value = text_after(begin_ + 1);
    } else {
      part.object = {};
      for (const auto& term : terms_) {
        const bool kind = std::any_of(std::begin(creatable_names), std::end(creatable_names),
                                      [&](std::string_view name) { return term.meaning == meaning(name); });
        if (kind) {
          part.object.push_back(term);
          break;
        }
      }
      part.value = text_after(at ? *at + 1 : begin_ + 1);
    }
    if (w == "send") part.object = read_terms("message");
    if (contains(part.object, meaning("address")) || read_terms(part.value).empty()) part.value.clear();
    if (part.object.empty() && w == "write") part.object = read_terms("note");
    if (contains(part.object, meaning("message"))) read_recipient(part);
    if (contains(part.object, meaning("alarm"))) read_time(part.value);
    return finish(std::move(part));
  }

  /// "Write down under Tickets: Seat 14C."
  bool read_note_under() {
    const auto under = find_word("under", begin_ + 1);
    if (under + 2 >= end_) return false;
    auto from = under + 1;
    while (from < end_ && !tokens_[from].colon_before) ++from;
    if (from >= end_) return false;
    GoalPart part;
    part.kind = PartKind::create;
    part.text = original(begin_, end_);
    part.object = read_terms("note");
    goal_.texts.push_back({read_terms("title"), original(under + 1, from), tokens_[under + 1].begin});
    goal_.texts.push_back({read_terms("body"), slice(from, end_), tokens_[from].begin});
    return finish(std::move(part));
  }

  /// "Send Anna a message", "a message to Anna saying …": who gets it.
  void read_recipient(GoalPart& part) {
    const auto stop = "saying that says saying reading with about telling asking and";
    auto from = find_word("to", begin_ + 1);
    auto until = end_;
    if (from < end_) {
      ++from;
    } else if (word(begin_) == "send" && !is(begin_ + 1, "a an the my one")) {
      from = begin_ + 1;
      until = find_word("a an the my", from);
    } else {
      return;
    }
    until = std::min(until, find_word(stop, from));
    if (from < until && tokens_[from].is_quoted) until = from + 1;
    for (auto i = from + 1; i < until; ++i) {
      if (tokens_[i].colon_before || tokens_[i].is_quoted || tokens_[i].comma_before) until = i;
    }
    const auto name = original(from, until);
    if (name.empty()) return;
    goal_.texts.push_back({read_terms("recipient contact"), name, tokens_[from].begin});
    part.place = read_terms(name);
    if (until >= end_) return;
    part.value.clear();
    for (auto i = until; i < end_; ++i) {
      if (tokens_[i].is_quoted) part.value = tokens_[i].quoted;
    }
    if (!part.value.empty()) return;
    auto text = until;
    while (text < end_ && is(text, "that says say saying reading with the text message and")) ++text;
    part.value = slice(text, end_);
  }

  /// "6:45" for forms that ask for hour and minute.
  void read_time(const std::string& value) {
    const auto colon = value.find(':');
    if (colon == std::string::npos || colon == 0 || colon > 2 || value.size() < colon + 3 || !is_number(value)) return;
    const auto two_digits = [](std::string text) { return text.size() < 2 ? "0" + text : text; };
    auto hour = value.substr(0, colon);
    if (value.find("pm") != std::string::npos && small_number(hour) < 12 && small_number(hour) > 0) hour = std::to_string(small_number(hour) + 12);
    goal_.texts.push_back({read_terms("hour"), two_digits(hour), 0});
    goal_.texts.push_back({read_terms("minute"), value.substr(colon + 1, 2), 0});
  }

  /// The text of a new entry: what stands in quotes, else what follows "saying",
  /// "called", "for" and the like, else the rest.
  std::string text_after(std::size_t from) const {
    if (auto quoted = quoted_text(); !quoted.empty()) return quoted;
    while (from < end_ && is(from, "down that says saying reading called named titled about for to at with the text of me "
                                   "which reads up a an")) {
      ++from;
    }
    auto until = end_;
    if (until > from + 2 && is(until - 2, "on") && is(until - 1, "phone")) until -= 2;
    return original(from, until);
  }

  bool read_goods() {
    const auto w = word(begin_);
    const bool buying = is_one_of(w, "buy purchase order");
    const bool adding = is_one_of(w, "add put place drop get throw") && !is(begin_ + 1, "rid");
    if (!buying && !adding) return false;
    if (adding && !contains(terms_, meaning("basket")) && w != "add") return false;
    auto until = end_;
    if (contains(terms_, meaning("basket"))) {
      for (auto i = begin_ + 1; i + 1 < end_; ++i) {
        if (is(i, "to in into") && contains(terms_between(i + 1, std::min(end_, i + 4)), meaning("basket"))) {
          until = i;
          break;
        }
      }
    }
    goods_between(begin_ + 1, until);
    if (buying) {
      GoalPart part;
      part.kind = PartKind::check_out;
      part.text = original(begin_, end_);
      goal_.parts.push_back(std::move(part));
    }
    return true;
  }

  /// One part per kind of goods: "a mug and two kettles", "a mug, a kettle".
  void goods_between(std::size_t begin, std::size_t end) {
    auto from = begin;
    for (auto i = begin + 1; i <= end; ++i) {
      const bool again = i < end && (is(i, "and") ? starts_goods(i + 1) : tokens_[i].comma_before && starts_goods(i));
      if (i < end && !again) continue;
      auto part = make(PartKind::add, from, std::min(i, find_word("as delivered for with using paying by to", from)));
      if (!part.object.empty() || part.pick != Pick::any || !goal_.parts.empty()) goal_.parts.push_back(std::move(part));
      from = i < end && is(i, "and") ? i + 1 : i;
    }
  }

  bool starts_goods(std::size_t at) const {
    return at < end_ && (is(at, "a an the one some another") || counts(word(at)) || tokens_[at].is_quoted);
  }

  /// "Mark the pan as a favourite", "keep it for later": the thing is to be marked so.
  bool read_marking() {
    if (!contains(terms_, meaning("favourite")) || !is(begin_, "mark save add keep put remember make set")) return false;
    auto part = make(PartKind::operate, begin_ + (is(begin_, "remember") ? 0 : 1), std::min(end_, find_word("without", begin_)));
    std::erase_if(part.object, [](const Term& term) { return term.meaning == meaning("favourite"); });
    const auto mark = read_terms("favourite");
    part.object_text = part.object.empty() ? std::string{} : original_of(part.object);
    part.object.insert(part.object.begin(), mark.begin(), mark.end());
    return finish(std::move(part));
  }

  /// "Put the football chat away."
  bool read_putting_away() {
    if (!is(begin_, "put stow move")) return false;
    const auto away = find_word("away", begin_ + 1);
    if (away >= end_) return false;
    auto part = make(PartKind::operate, begin_ + 1, away);
    const auto verb = read_terms("archive");
    part.object.insert(part.object.begin(), verb.begin(), verb.end());
    return finish(std::move(part));
  }

  static std::string original_of(const Terms& terms) {
    std::string text;
    for (const auto& term : terms) text += (text.empty() ? "" : " ") + term.stem;
    return text;
  }

  bool read_removal() {
    const bool rid = is(begin_, "get") && is(begin_ + 1, "rid");
    if (!rid && !is(begin_, "remove delete clear empty erase cancel discard take throw forget")) return false;
    if (is(begin_, "take throw") && find_word("out from away", begin_) == end_) return false;
    const auto end = is(end_ - 1, "away out") ? end_ - 1 : end_;
    auto part = make(PartKind::remove, begin_ + (rid ? 3 : 1), end);
    if (part.object.empty()) part.object = terms_;
    if (is(begin_, "empty clear")) part.value = "all";
    return finish(std::move(part));
  }

  bool read_value() {
    const auto w = word(begin_);
    if (is_one_of(w, "choose select pick")) {
      const auto as = find_word("as for", begin_ + 1);
      auto part = make(PartKind::set_value, as < end_ ? as + 1 : end_, end_);
      part.value = original(begin_ + 1, as);
      if (as >= end_) {
        auto chosen = make(PartKind::operate, begin_ + 1, end_);
        part.place = chosen.place;
        part.object = {};
        if (!chosen.place.empty()) part.value = value_without_place();
      }
      return finish(std::move(part));
    }
    if (is_one_of(w, "set change switch adjust move increase raise lower reduce decrease turn rename edit make")) {
      const auto to = find_last("to", begin_ + 1);
      if (to < end_ && to + 1 < end_ && to > begin_ + 1) {
        auto part = make(PartKind::set_value, begin_ + 1, to);
        if (device_only(begin_ + 1, to)) {
          part.object = read_terms("device name");
        } else if (w == "rename") {
          const auto name = read_terms("name");
          part.object.insert(part.object.end(), name.begin(), name.end());
        }
        const auto value = make(PartKind::set_value, to + 1, end_);
        part.value = original(to + 1, value.place.empty() ? end_ : find_last("in on under from", to + 1));
        if (part.place.empty()) part.place = value.place;
        return finish(std::move(part));
      }
    }
    const bool up = is_one_of(w, "increase raise") || (w == "turn" && is(begin_ + 1, "up"));
    const bool down = is_one_of(w, "decrease lower reduce") || (w == "turn" && is(begin_ + 1, "down"));
    const auto comparative = w == "make" || w == "set" ? find_word(comparatives, begin_ + 1) : end_;
    if (!up && !down && comparative >= end_) return false;
    auto part = make(PartKind::set_value, begin_ + (w == "turn" ? 2 : 1), comparative);
    part.value = down || (comparative < end_ && is(comparative, downward)) ? "-" : "+";
    // "Make the text bigger" is about its size.
    if (contains(part.object, meaning("text_body"))) part.object = read_terms("font size");
    return finish(std::move(part));
  }

  std::string value_without_place() const {
    const auto in = find_last("in on under from", begin_ + 1);
    return original(begin_ + 1, in);
  }

  bool read_typing() {
    if (!is(begin_, "type enter write fill input put")) return false;
    const auto into = find_last("into in as", begin_ + 1);
    auto value = quoted_text();
    if (value.empty() && (into >= end_ || is(begin_, "enter") || is(begin_, "put"))) return false;
    if (value.empty()) value = original(begin_ + 1, into);
    auto part = make(PartKind::type, into < end_ ? into + 1 : end_, end_);
    part.value = std::move(value);
    return finish(std::move(part));
  }

  bool read_question() {
    const bool finding_out = is(begin_, "find") && is(begin_ + 1, "out");
    const bool checking = is(begin_, "check see look find") && find_word("what how which whether if much many when", begin_ + 1) < begin_ + 3;
    if (!finding_out && !checking && !is(begin_, verbs::telling)) return false;
    if (is(begin_, "give read") && is(begin_ + 1, "me") && end_ - begin_ < 3) return false;
    std::string rest;
    for (auto i = begin_; i < end_; ++i) {
      if (tokens_[i].used || (!tokens_[i].is_quoted && is(i, "what how tell read report which whats when who where say give "
                                                            "count much many find check see look left currently there "
                                                            "does out answer whether right lets me us called set installed used running runs run sent been is has have did do been up full big long old far"))) {
        continue;
      }
      // "Anna's jacket": whose it is says little about what it is called.
      const auto& raw = tokens_[i].raw;
      if (raw.size() > 2 && raw.find('\'') != std::string::npos && raw[0] >= 'A' && raw[0] <= 'Z' && raw.back() == 's') continue;
      if (!rest.empty()) rest += ' ';
      rest += tokens_[i].is_quoted ? tokens_[i].quoted : tokens_[i].lower;
    }
    auto part = make(PartKind::read, begin_, end_);
    part.object = read_terms(rest);
    std::erase_if(part.object, [&](const Term& term) { return contains(part.place, term.meaning); });
    part.object_text = search_words(rest, part.object);
    const bool meaty = std::any_of(part.object.begin(), part.object.end(), [](const Term& term) { return term.weight >= 1; });
    if (meaty) std::erase_if(part.object, [](const Term& term) { return term.weight < 1; });
    return finish(std::move(part));
  }

  bool read_search() {
    const bool looking = is(begin_, "look") && is(begin_ + 1, "for up");
    const bool searching = is(begin_, "search");
    if (!looking && !searching && !is(begin_, "find")) return false;
    auto from = begin_ + (looking ? 2 : 1);
    auto until = end_;
    Terms place;
    if (searching) {
      const auto after = find_word("for", begin_ + 1);
      if (after < end_) {
        place = terms_between(begin_ + 1, after);
        from = after + 1;
      }
    }
    auto part = make(PartKind::find, from, until);
    if (part.place.empty()) part.place = std::move(place);
    for (auto i = from + 1; i + 1 < end_; ++i) {
      if (is(i, "in on at") && !part.place.empty()) until = std::min(until, i);
    }
    part.value = quoted_text().empty() ? original(from, until) : quoted_text();
    if (part.object.empty() && part.value.empty()) return false;
    return finish(std::move(part));
  }

  bool read_reaching() {
    if (!is(begin_, verbs::reaching) && !is(begin_, "check")) return false;
    if (is(begin_, "start") && is_one_of(word(end_ - 1), "stopwatch timer")) return false;
    auto from = begin_ + 1;
    while (from < end_ && is(from, "to me the at up back a my into over through us")) ++from;
    if (from >= end_) from = begin_ + 1;
    auto part = make(PartKind::reach, from, end_);
    if (part.object.size() > 1) std::erase_if(part.object, [](const Term& term) { return term.meaning == meaning("settings"); });
    const bool refers = is(end_ - 1, "it that this them one went");
    if (is(end_ - 1, "went")) part.object.clear();
    if (part.object.empty() && refers && !goal_.parts.empty()) return finish(std::move(part));
    if (part.object.empty()) part.object = part.place;
    if (part.object.empty()) return false;
    return finish(std::move(part));
  }

  std::string_view text_;
  const std::vector<GoalToken>& tokens_;
  std::size_t begin_;
  std::size_t end_;
  std::size_t clause_end_ = 0;
  Goal& goal_;
  Terms terms_;
  bool ensure_ = false;
};

}  // namespace

std::vector<Clause> split_clauses(const std::vector<GoalToken>& tokens) {
  std::vector<Clause> clauses;
  std::size_t begin = 0;
  const auto cut = [&](std::size_t end, std::size_t next) {
    if (end > begin) clauses.push_back({begin, end});
    begin = next;
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    if (i > begin && token.sentence_before) cut(i, i);
    if (token.is_quoted || token.used) continue;
    if (token.lower == "then" || token.lower == "afterwards") {
      const auto end = i > begin && tokens[i - 1].lower == "and" ? i - 1 : i;
      cut(end, i + 1);
      continue;
    }
    auto next = i;
    if (token.lower == "and") ++next;
    while (next < tokens.size() && next > i && is_one_of(tokens[next].lower, "then also finally please there afterwards")) ++next;
    if (token.lower == "and" && begins_clause(tokens, next)) {
      cut(i, next);
    } else if (token.comma_before && i > begin && token.lower != "and" && begins_clause(tokens, i)) {
      cut(i, i);
    }
  }
  cut(tokens.size(), tokens.size());
  return clauses;
}

void append_parts(std::string_view text, const std::vector<GoalToken>& tokens, const Clause& clause, Goal& goal) {
  ClauseReader{text, tokens, clause, goal}.read();
}

}  // namespace drover::providers::scripted
