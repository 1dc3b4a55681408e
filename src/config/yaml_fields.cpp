#include "config/yaml_fields.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "core/document_bounds.hpp"

namespace drover::config {

void Reading::problem(const YAML::Node& at, std::string message) {
  const YAML::Mark mark = at.Mark();
  const bool known = from_file() && !mark.is_null();
  problem({source_, known ? mark.line + 1 : 0, known ? mark.column + 1 : 0, std::move(message)});
}

void Reading::problem(Problem problem) {
  if (problems_.size() < most_problems) problems_.push_back(std::move(problem));
}

std::string Reading::expand(const YAML::Node& at, const std::string& text) { return replace(at, text, true); }

std::optional<std::string> Reading::letters(const YAML::Node& node, const std::string& expected) {
  if (!node.IsScalar()) {
    problem(node, expected + " is expected here, this " + kind_of(node));
    return std::nullopt;
  }
  const std::size_t before = problems_.size();
  std::string text = replace(node, node.Scalar(), false);
  if (problems_.size() > before) return std::nullopt;
  return text;
}

std::string Reading::stated(const YAML::Node& node, const std::string& letters) const {
  const std::string is = "is \"" + shorten(letters, 40) + "\"";
  return references_.count(place_) > 0 ? is + ", which " + shorten(node.Scalar(), 60) + " stands for" : is;
}

void Reading::forget_references(const std::string& place) {
  std::erase_if(references_,
                [&](const auto& entry) { return entry.first == place || entry.first.starts_with(place + "/"); });
}

void Reading::move_reference(const std::string& from, const std::string& to) {
  if (from == to) return;
  references_.erase(to);
  auto moved = references_.extract(from);
  if (moved.empty()) return;
  moved.key() = to;
  references_.insert(std::move(moved));
}

Secrets Reading::secrets() const {
  Secrets all(secrets_.begin(), secrets_.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  return all;
}

std::string Reading::replace(const YAML::Node& at, const std::string& text, bool is_text) {
  if (!from_file()) return repair_utf8(text);
  Reference reference;
  reference.written = repair_utf8(text);
  reference.text = is_text;
  std::string out;
  std::size_t from = 0;
  while (true) {
    const std::size_t open = text.find("${", from);
    if (open == std::string::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) {
      problem(at, "\"${\" without its closing brace");
      return repair_utf8(text);
    }
    out.append(text, from, open - from);
    reference.less_secrets.append(text, from, open - from);
    const std::string name = text.substr(open + 2, close - open - 2);
    if (tidy_label(name).empty()) {
      problem(at, "\"${}\" without the name of an environment variable in it");
    } else if (const auto value = environment_(name)) {
      out += *value;
      reference.less_secrets += names_secret(name) ? text.substr(open, close + 1 - open) : *value;
      if (names_secret(name)) {
        reference.secret = true;
        // As it stands in the file's text, and as it would be read from a screen.
        for (std::string& held : std::vector<std::string>{repair_utf8(*value), tidy_label(repair_utf8(*value))}) {
          if (held.size() >= shortest_secret) secrets_.emplace(name, std::move(held));
        }
      }
    } else {
      problem(at, "the environment variable " + shorten(name, 60) + " is not set; set it or write the value here");
    }
    from = close + 1;
  }
  if (from > 0) {
    reference.less_secrets = repair_utf8(reference.less_secrets.append(text, from, std::string::npos));
    references_[place_] = std::move(reference);
  }
  return repair_utf8(out.append(text, from, std::string::npos));
}

bool Reading::holds_secret() const {
  const auto found = references_.find(place_);
  return found != references_.end() && found->second.secret;
}

std::optional<YAML::Node> read_document(const std::string& text, Reading& reading) {
  try {
    std::vector<YAML::Node> documents = YAML::LoadAll(text);
    std::erase_if(documents, [](const YAML::Node& document) { return document.IsNull(); });
    const YAML::Node root = documents.empty() ? YAML::Node() : documents.front();
    if (root.IsNull()) {
      reading.problem({reading.file(), 0, 0, "the file is empty"});
    } else if (documents.size() > 1) {
      reading.problem(documents[1],
                      "the file holds more than one document; leave \"---\" out, or put it above them all");
    } else if (!BoundedDocument<YAML::Node>().holds(root)) {
      reading.problem({reading.file(), 0, 0,
                       "the file has too many values, or they are nested too deep, once its aliases are written out"});
    } else {
      return root;
    }
  } catch (const YAML::Exception& error) {
    const bool known = !error.mark.is_null();
    reading.problem({reading.file(), known ? error.mark.line + 1 : 0, known ? error.mark.column + 1 : 0,
                     "this is not YAML or JSON: " + error.msg});
  }
  return std::nullopt;
}

std::optional<Duration> duration_from(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value >= 0) || value > 1e9) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  double seconds = 0;
  if (unit.empty() || unit == "s") {
    seconds = value;
  } else if (unit == "ms") {
    seconds = value / 1000;
  } else if (unit == "m") {
    seconds = value * 60;
  } else if (unit == "h") {
    seconds = value * 3600;
  } else {
    return std::nullopt;
  }
  if (seconds > 1e9) return std::nullopt;
  return Duration{static_cast<Duration::rep>(std::llround(seconds * 1e9))};
}

Json choice_schema(const std::vector<std::string>& values) {
  return {{"anyOf", Json::array({{{"type", "string"}, {"enum", values}},
                                 {{"type", "string"}, {"pattern", reference_pattern}}})}};
}

bool is_identifier(const std::string& text) {
  return text.size() <= most_identifier_bytes && text.find_first_of("\n\t") == std::string::npos;
}

std::string real_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string kind_of(const YAML::Node& node) {
  if (node.IsMap()) return "is an object";
  if (node.IsSequence()) return "is a list";
  if (node.IsScalar()) return "is \"" + shorten(node.Scalar(), 40) + "\"";
  return "is empty";
}

std::string suggestion(const std::string& stated, const std::vector<std::string>& known) {
  const std::string wrong = shorten(stated, 60);
  const std::string* nearest = nullptr;
  std::size_t least = std::max<std::size_t>(2, wrong.size() / 3) + 1;
  for (const auto& name : known) {
    if (const std::size_t distance = edit_distance(wrong, name); distance < least) {
      least = distance;
      nearest = &name;
    }
  }
  if (nearest != nullptr) return "did you mean \"" + *nearest + "\"?";
  std::string all;
  for (auto name = known.begin(); name != known.end(); ++name) {
    if (std::find(known.begin(), name, *name) == name) all += (all.empty() ? "" : ", ") + *name;
  }
  return "there are: " + all;
}

}  // namespace drover::config
