#pragma once

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/configuration.hpp"
#include "core/json.hpp"
#include "core/text.hpp"

namespace drover::config {

/// A value of a file that holds a `${NAME}`.
struct Reference {
  std::string written;         ///< The value as it stands in the file.
  std::string less_secrets{};  ///< With references in the place of secrets alone.
  bool secret = false;         ///< The name of a variable in it says so.
  bool text = true;            ///< No number and no switch.
};
/// By the place of the value, as a JSON pointer: "/tasks/0/goal".
using References = std::map<std::string, Reference>;

/// What reading a file collects: every problem with its place, up to 200 of them,
/// and what texts may refer to. One per load; not shared.
class Reading {
 public:
  /// While it lives, what is read is inside of this key or place of a list.
  class Inside {
   public:
    Inside(Reading& reading, const std::string& part) : reading_(reading), before_(reading.place_.size()) {
      reading_.place_ += "/" + part;
    }
    ~Inside() { reading_.place_.resize(before_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Reading& reading_;
    std::size_t before_;
  };

  Reading(std::string file, const Environment& environment)
      : file_(file), source_(std::move(file)), environment_(environment) {}

  void problem(const YAML::Node& at, std::string message);
  void problem(Problem problem);
  /// `${NAME}` replaced from the environment; a name that is not set is a problem.
  /// Repaired to valid UTF-8. Texts that come from outside of the file are taken as they are.
  std::string expand(const YAML::Node& at, const std::string& text);
  /// A value that is no text, such as a number, as its letters, references replaced;
  /// nothing, and a problem, where a name is not set or `node` is no such value.
  /// `expected`: "a whole number", for the message.
  std::optional<std::string> letters(const YAML::Node& node, const std::string& expected);
  /// "is \"12x\"" and the like, for messages; with what the environment gave.
  [[nodiscard]] std::string stated(const YAML::Node& node, const std::string& letters) const;

  /// Whether the text that was read last at the present place holds a secret.
  [[nodiscard]] bool holds_secret() const;
  /// What holds a `${NAME}` of the file, and nothing that has been set over it.
  [[nodiscard]] const References& references() const { return references_; }
  /// What stands at that place, or below it, is no longer from the file.
  void forget_references(const std::string& place);
  /// What stood at one place stands at the other now.
  void move_reference(const std::string& from, const std::string& to);
  /// The secrets that were put in so far.
  [[nodiscard]] Secrets secrets() const;

  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::vector<Problem>& problems() { return problems_; }
  void warn(Problem problem) { warnings_.push_back(std::move(problem)); }
  [[nodiscard]] std::vector<Problem>& warnings() { return warnings_; }

  /// What is read next comes from `option` and not from the file; empty: from the file again.
  void read_from(const std::string& option) { source_ = option.empty() ? file_ : option; }

 private:
  [[nodiscard]] bool from_file() const { return source_ == file_; }
  std::string replace(const YAML::Node& at, const std::string& written, bool text);

  std::string file_;
  std::string source_;
  std::string place_;  ///< Of what is read at present, a JSON pointer.
  const Environment& environment_;
  std::vector<Problem> problems_;
  std::vector<Problem> warnings_;
  References references_;
  std::set<std::pair<std::string, std::string>> secrets_;
};

/// The document of a YAML or JSON text. What can't be read, is empty, or grows
/// beyond core's DocumentBounds is a problem, and there is no document.
std::optional<YAML::Node> read_document(const std::string& text, Reading& reading);

/// "30s", "500ms", "2m", "1h" or a number of seconds.
std::optional<Duration> duration_from(const std::string& text);
/// "0.001", "3600".
std::string real_text(double value);
/// "is a list" and the like, for messages.
std::string kind_of(const YAML::Node& node);
/// `did you mean "x"?`, or what there is to choose from.
std::string suggestion(const std::string& wrong, const std::vector<std::string>& known);

inline constexpr std::size_t most_identifier_bytes = 200;
/// Whether a text can name something: it is one line of at most so many bytes.
bool is_identifier(const std::string& text);

/// For schemas: a text that holds a `${NAME}`, in the place of a number or a switch.
inline constexpr const char* reference_pattern = "\\$\\{.+\\}";
/// For schemas: one of these, or a reference.
Json choice_schema(const std::vector<std::string>& values);

/// One option: its name, its sentence of documentation, its JSON Schema and how
/// it is read. The loader and the published schema are both made from these.
template <class T>
struct Field {
  std::string name;
  Json schema;
  bool required = false;
  std::function<void(T&, const YAML::Node&, Reading&)> read;
};

/// The options of one object of a file.
template <class T>
class Section {
 public:
  Section(std::string doc, std::vector<Field<T>> fields) : doc_(std::move(doc)), fields_(std::move(fields)) {}

  void read(T& target, const YAML::Node& node, Reading& reading) const {
    if (!node.IsMap()) {
      reading.problem(node, "an object with keys is expected here, this " + kind_of(node));
      return;
    }
    std::set<std::string> seen;
    for (const auto& entry : node) {
      const auto key = entry.first.as<std::string>("");
      const auto field = std::find_if(fields_.begin(), fields_.end(), [&](const auto& f) { return f.name == key; });
      if (field == fields_.end()) {
        std::vector<std::string> names;
        for (const auto& known : fields_) names.push_back(known.name);
        reading.problem(entry.first, "unknown key \"" + shorten(key, 60) + "\"; " + suggestion(key, names));
      } else if (!seen.insert(key).second) {
        reading.problem(entry.first, "the key \"" + key + "\" stands here twice");
      } else if (entry.second.IsNull()) {
        reading.problem(entry.first, "\"" + key + "\" has no value");
      } else {
        const Reading::Inside inside(reading, key);
        field->read(target, entry.second, reading);
      }
    }
    for (const auto& field : fields_) {
      if (field.required && seen.count(field.name) == 0) {
        reading.problem(node, "\"" + field.name + "\" is missing");
      }
    }
  }

  [[nodiscard]] Json schema() const {
    Json properties = Json::object();
    Json required = Json::array();
    for (const auto& field : fields_) {
      properties[field.name] = field.schema;
      if (field.required) required.push_back(field.name);
    }
    Json object = {
        {"type", "object"}, {"description", doc_}, {"additionalProperties", false}, {"properties", properties}};
    if (!required.empty()) object["required"] = required;
    return object;
  }

 private:
  std::string doc_;
  std::vector<Field<T>> fields_;
};

/// A text; a required one must not be blank.
template <class T>
Field<T> text(std::string name, std::string T::*member, std::string doc, bool required = false) {
  Json schema = {{"type", "string"}, {"description", std::move(doc)}};
  if (required) schema["minLength"] = 1;
  return {name, std::move(schema), required,
          [name, member, required](T& target, const YAML::Node& node, Reading& reading) {
            if (!node.IsScalar()) return reading.problem(node, "a text is expected here, this " + kind_of(node));
            target.*member = reading.expand(node, node.Scalar());
            if (required && tidy_label(target.*member).empty()) {
              reading.problem(node, "\"" + name + "\" must not be empty");
            }
          }};
}

inline constexpr const char* secret_in_name =
    "a name goes into reports and into the keys of the journal, so no secret may stand in it";

/// A required text that names something: one line of at most 200 bytes, without a secret.
template <class T>
Field<T> identifier(std::string name, std::string T::*member, std::string doc) {
  Field<T> field = text<T>(name, member, std::move(doc), true);
  field.schema["maxLength"] = most_identifier_bytes;
  field.read = [name, member, read = std::move(field.read)](T& target, const YAML::Node& node, Reading& reading) {
    read(target, node, reading);
    if (!is_identifier(target.*member)) {
      reading.problem(node, "\"" + name + "\" must be one line of at most 200 bytes");
    } else if (reading.holds_secret()) {
      reading.problem(node, secret_in_name);
    }
  };
  return field;
}

/// One of these words; what could not be read is left empty.
template <class T>
Field<T> choice(std::string name, std::string T::*member, std::vector<std::string> values, std::string doc) {
  Json schema = choice_schema(values);
  schema["description"] = std::move(doc);
  return {std::move(name), std::move(schema), false,
          [member, values = std::move(values)](T& target, const YAML::Node& node, Reading& reading) {
            (target.*member).clear();
            const auto value = reading.letters(node, "one of the choices");
            if (!value) return;
            if (std::find(values.begin(), values.end(), *value) == values.end()) {
              return reading.problem(
                  node, "\"" + shorten(*value, 60) + "\" is not one of the choices; " + suggestion(*value, values));
            }
            target.*member = *value;
          }};
}

/// A whole number into a member of any unsigned type, or an optional of one.
template <class T, class Number, class Member>
Field<T> number(std::string name, Member T::*member, Number low, Number high, std::string doc) {
  Json schema = {{"type", {"integer", "string"}},
                 {"pattern", reference_pattern},
                 {"description", std::move(doc)},
                 {"minimum", low}};
  if (high != std::numeric_limits<Number>::max()) schema["maximum"] = high;
  return {
      std::move(name), std::move(schema), false,
      [member, low, high](T& target, const YAML::Node& node, Reading& reading) {
        const auto letters = reading.letters(node, "a whole number");
        if (!letters) return;
        std::uint64_t value = 0;
        const char* const past = letters->data() + letters->size();
        const auto [end, failure] = std::from_chars(letters->data(), past, value);
        // Some readers of YAML take 010 for 8: nobody can say what it means.
        const bool whole = failure == std::errc() && end == past && (letters->size() == 1 || letters->front() != '0');
        if (!whole || value < low || value > high) {
          return reading.problem(node, "a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
                                           " is expected here, this " + reading.stated(node, *letters));
        }
        target.*member = static_cast<Number>(value);
      }};
}

template <class T>
Field<T> real(std::string name, double T::*member, double low, double high, std::string doc) {
  Json schema = {{"type", {"number", "string"}},
                 {"pattern", reference_pattern},
                 {"description", std::move(doc)},
                 {"minimum", low},
                 {"maximum", high}};
  return {std::move(name), std::move(schema), false,
          [member, low, high](T& target, const YAML::Node& node, Reading& reading) {
            const auto letters = reading.letters(node, "a number");
            if (!letters) return;
            double value = 0;
            const bool real_number = YAML::convert<double>::decode(YAML::Node(*letters), value);
            if (!real_number || !(value >= low && value <= high)) {
              return reading.problem(node, "a number from " + real_text(low) + " to " + real_text(high) +
                                               " is expected here, this " + reading.stated(node, *letters));
            }
            target.*member = value;
          }};
}

/// Dollars, into millionths of them or an optional of such; `low` and `high` in dollars.
template <class T, class Member>
Field<T> money(std::string name, Member T::*member, double low, double high, std::string doc) {
  struct Amount {
    double dollars = 0;
  };
  const auto amount = real<Amount>(name, &Amount::dollars, low, high, std::move(doc));
  return {std::move(name), amount.schema, false,
          [member, read = amount.read, low](T& target, const YAML::Node& node, Reading& reading) {
            Amount stated{low - 1};
            read(stated, node, reading);
            if (stated.dollars >= low) target.*member = static_cast<std::int64_t>(std::llround(stated.dollars * 1e6));
          }};
}

/// A share of something, 0 to 1.
template <class T>
Field<T> share(std::string name, double T::*member, std::string doc) {
  return real<T>(std::move(name), member, 0.0, 1.0, std::move(doc));
}

/// Into a bool or an optional of one.
template <class T, class Member>
Field<T> flag(std::string name, Member T::*member, std::string doc) {
  return {std::move(name),
          {{"type", {"boolean", "string"}}, {"pattern", reference_pattern}, {"description", std::move(doc)}},
          false,
          [member](T& target, const YAML::Node& node, Reading& reading) {
            const auto letters = reading.letters(node, "true or false");
            if (!letters) return;
            bool value = false;
            if (!YAML::convert<bool>::decode(YAML::Node(*letters), value)) {
              return reading.problem(node, "true or false is expected here, this " + reading.stated(node, *letters));
            }
            target.*member = value;
          }};
}

/// What a duration may be: a wait may be none, a time limit not.
struct DurationRange {
  Duration low{};
  Duration high{};
  [[nodiscard]] bool holds(Duration value) const { return value >= low && value <= high; }
};
inline constexpr DurationRange any_wait{Duration::zero(), std::chrono::hours{24}};
inline constexpr DurationRange time_limit{std::chrono::milliseconds{1}, std::chrono::hours{24}};

/// Into a Duration or an optional of one.
template <class T, class Member>
Field<T> duration(std::string name, Member T::*member, DurationRange range, std::string doc) {
  const auto seconds = [](Duration value) { return std::chrono::duration<double>(value).count(); };
  Json schema = {
      {"description", doc + " As 500ms, 30s, 2m, 1h, or a number of seconds."},
      {"oneOf",
       Json::array(
           {{{"type", "string"}, {"pattern", "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$|" + std::string(reference_pattern)}},
            {{"type", "number"}, {"minimum", seconds(range.low)}, {"maximum", seconds(range.high)}}})}};
  return {std::move(name), std::move(schema), false,
          [member, range, seconds](T& target, const YAML::Node& node, Reading& reading) {
            const auto letters = reading.letters(node, "a duration such as 30s or 500ms");
            if (!letters) return;
            const auto value = duration_from(*letters);
            if (!value) {
              return reading.problem(
                  node, "a duration such as 30s or 500ms is expected here, this " + reading.stated(node, *letters));
            }
            if (!range.holds(*value)) {
              return reading.problem(node, "a duration from " + real_text(seconds(range.low)) + "s to " +
                                               real_text(seconds(range.high)) + "s is expected here, this " +
                                               reading.stated(node, *letters));
            }
            target.*member = *value;
          }};
}

/// What is wrong with a text of a list; absent: nothing.
using TextCheck = std::function<std::optional<std::string>(const std::string& value, const Reading& reading)>;

/// A list of texts that are not empty and pass `check`; `each`: the schema of one.
template <class T>
Field<T> checked_texts(std::string name, std::vector<std::string> T::*member, std::string doc, Json each,
                       TextCheck check) {
  Json schema = {{"type", "array"}, {"description", std::move(doc)}, {"items", std::move(each)}};
  return {std::move(name), std::move(schema), false,
          [member, check = std::move(check)](T& target, const YAML::Node& node, Reading& reading) {
            if (!node.IsSequence()) {
              return reading.problem(node, "a list of texts is expected here, this " + kind_of(node));
            }
            (target.*member).clear();
            std::size_t place = 0;
            for (const auto& item : node) {
              const Reading::Inside inside(reading, std::to_string(place++));
              if (!item.IsScalar()) {
                reading.problem(item, "a text is expected here, this " + kind_of(item));
                continue;
              }
              std::string value = reading.expand(item, item.Scalar());
              if (tidy_label(value).empty()) {
                reading.problem(item, "a text of a list must not be empty");
              } else if (auto wrong = check(value, reading)) {
                reading.problem(item, *std::move(wrong));
              }
              (target.*member).push_back(std::move(value));
            }
          }};
}

/// A list of texts, none of them empty.
template <class T>
Field<T> texts(std::string name, std::vector<std::string> T::*member, std::string doc) {
  return checked_texts<T>(
      std::move(name), member, std::move(doc), {{"type", "string"}, {"minLength", 1}},
      [](const std::string&, const Reading&) -> std::optional<std::string> { return std::nullopt; });
}

/// A text or a list of texts, none of them empty.
template <class T>
Field<T> one_or_more_texts(std::string name, std::vector<std::string> T::*member, std::string doc) {
  Field<T> field = texts<T>(std::move(name), member, std::move(doc));
  field.schema["type"] = {"string", "array"};
  field.read = [member, several = std::move(field.read)](T& target, const YAML::Node& node, Reading& reading) {
    if (!node.IsScalar()) return several(target, node, reading);
    (target.*member).assign(1, reading.expand(node, node.Scalar()));
    if (tidy_label((target.*member).front()).empty()) (target.*member).clear();
  };
  return field;
}

/// A list of texts, each one of `values`.
template <class T>
Field<T> choices(std::string name, std::vector<std::string> T::*member, std::string doc,
                 std::vector<std::string> values) {
  Json each = choice_schema(values);
  return checked_texts<T>(
      std::move(name), member, std::move(doc), std::move(each),
      [values = std::move(values)](const std::string& value, const Reading&) -> std::optional<std::string> {
        if (std::find(values.begin(), values.end(), value) != values.end()) return std::nullopt;
        return "\"" + shorten(value, 60) + "\" is not one of the choices; " + suggestion(value, values);
      });
}

/// A list of texts that each name something, as identifier() does.
template <class T>
Field<T> identifiers(std::string name, std::vector<std::string> T::*member, std::string doc) {
  return checked_texts<T>(std::move(name), member, std::move(doc),
                          {{"type", "string"}, {"minLength", 1}, {"maxLength", most_identifier_bytes}},
                          [](const std::string& value, const Reading& reading) -> std::optional<std::string> {
                            if (reading.holds_secret()) return secret_in_name;
                            if (is_identifier(value)) return std::nullopt;
                            return "a name of this list must be one line of at most 200 bytes";
                          });
}

template <class T, class Part>
Field<T> object(std::string name, Part T::*member, Section<Part> section) {
  Json schema = section.schema();
  return {std::move(name), std::move(schema), false,
          [member, section = std::move(section)](T& target, const YAML::Node& node, Reading& reading) {
            section.read(target.*member, node, reading);
          }};
}

/// A list of objects. What was read before is replaced.
template <class T, class Part>
Field<T> objects(std::string name, std::vector<Part> T::*member, Section<Part> section, std::string doc) {
  Json schema = {{"type", "array"}, {"description", std::move(doc)}, {"items", section.schema()}};
  return {std::move(name), std::move(schema), false,
          [member, section = std::move(section)](T& target, const YAML::Node& node, Reading& reading) {
            if (!node.IsSequence()) return reading.problem(node, "a list is expected here, this " + kind_of(node));
            (target.*member).clear();
            std::size_t place = 0;
            for (const auto& item : node) {
              const Reading::Inside inside(reading, std::to_string(place++));
              Part part;
              section.read(part, item, reading);
              (target.*member).push_back(std::move(part));
            }
          }};
}

/// An option with a reader of its own.
template <class T>
Field<T> custom(std::string name, Json schema, std::function<void(T&, const YAML::Node&, Reading&)> read) {
  return {std::move(name), std::move(schema), false, std::move(read)};
}

}  // namespace drover::config
