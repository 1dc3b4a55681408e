#include "config/model_faults_file.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "config/secrets.hpp"
#include "config/yaml_fields.hpp"
#include "core/bounded_file.hpp"

namespace drover::config {
namespace {

constexpr auto most32 = std::numeric_limits<std::uint32_t>::max();
constexpr auto most64 = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

/// An option that stands among those of a whole and is kept in a part of it.
template <class Part>
Field<ModelFaultsFile> kept_in(Part ModelFaultsFile::*part, Field<Part> field) {
  return {field.name, field.schema, field.required,
          [part, read = field.read](ModelFaultsFile& file, const YAML::Node& node, Reading& reading) {
            read(file.*part, node, reading);
          }};
}

template <class T>
Field<T> needed(Field<T> field) {
  field.required = true;
  return field;
}

Field<ModelFaultsFile> faulty(std::string name, double ModelServerSettings::*member, std::string doc) {
  return kept_in(&ModelFaultsFile::behaviour, share(std::move(name), member, std::move(doc)));
}
Field<ModelFaultsFile> faulty(std::string name, double ModelFaultSettings::*member, std::string doc) {
  return kept_in(&ModelFaultsFile::faults, share(std::move(name), member, std::move(doc)));
}

Section<ModelFaultsFile> shares_section() {
  using S = ModelServerSettings;
  using F = ModelFaultSettings;
  return {"What happens to which share of requests, 0 to 1.",
          {
              faulty("rate_limited", &S::rate_limited_share, "429 with a retry-after."),
              faulty("overloaded", &S::overloaded_share, "529 (OpenAI formats: 503)."),
              faulty("dropped", &S::dropped_share, "Connection closed without an answer."),
              faulty("timeouts", &S::timeout_share, "Never answered."),
              faulty("no_tool_call", &S::no_tool_call_share, "Text without a tool call, where none is forced."),
              faulty("malformed", &S::malformed_share, "Arguments that lack a field or are no JSON."),
              faulty("html_520", &F::html_520_share, "520 with a page in HTML, as a proxy at the edge sends."),
              faulty("error_in_200", &F::error_in_200_share, "Status 200 with an error in the body."),
              faulty("cut_body", &F::cut_body_share, "Connection closed in the middle of the body."),
              faulty("slow_body", &F::slow_body_share, "The body comes in pieces, over slow_body_time."),
              faulty("closed_keep_alive", &F::closed_keep_alive_share,
                     "Connection closed behind an answer that did not say so."),
          }};
}

double sum_of_shares(const ModelFaultsFile& file) {
  const auto& b = file.behaviour;
  const auto& f = file.faults;
  return b.rate_limited_share + b.overloaded_share + b.dropped_share + b.timeout_share + b.no_tool_call_share +
         b.malformed_share + f.html_520_share + f.error_in_200_share + f.cut_body_share + f.slow_body_share +
         f.closed_keep_alive_share;
}

Section<ModelFaultsFile> limits_section() {
  using F = ModelFaultSettings;
  return {"Limits that are enforced by real buckets and told in headers; 0: no limit.",
          {
              kept_in(&ModelFaultsFile::behaviour, number<ModelServerSettings, std::uint32_t>(
                                                       "requests_per_minute", &ModelServerSettings::requests_per_minute,
                                                       0, most32, "Requests of all keys together.")),
              kept_in(&ModelFaultsFile::faults,
                      number<F, std::uint64_t>("input_tokens_per_minute", &F::input_tokens_per_minute, 0, most64,
                                               "Estimated tokens of the requests.")),
              kept_in(&ModelFaultsFile::faults,
                      number<F, std::uint64_t>("output_tokens_per_minute", &F::output_tokens_per_minute, 0, most64,
                                               "Estimated tokens of the answers.")),
          }};
}

Section<RampLimitSettings> ramp_section() {
  using T = RampLimitSettings;
  return {"How fast requests may become more.",
          {
              needed(real<T>("growth_percent", &T::growth_percent, 0, 10'000,
                             "A minute may serve so many more requests than the one before it.")),
              needed(number<T, std::uint32_t>("floor", &T::floor, 1, most32,
                                              "So many requests a minute are served in any case.")),
          }};
}

Section<ModelQuotaSettings> quota_section() {
  using T = ModelQuotaSettings;
  return {"When a key has used up what was paid for.",
          {
              needed(number<T, std::uint64_t>("after", &T::after, 0, most64,
                                              "So many requests are served, and none after them.")),
              text<T>("key", &T::key, "Whose requests; left out: those of all keys together."),
          }};
}

bool takes_retry_after(TransportFault fault) {
  return fault == TransportFault::rate_limited || fault == TransportFault::overloaded ||
         fault == TransportFault::unavailable || fault == TransportFault::server_error;
}

Section<ModelStorm> storm_section() {
  using T = ModelStorm;
  Json answers = choice_schema(storm_answers());
  answers["description"] = "What the requests of that time get.";
  return {"A time in which requests fail.",
          {
              needed(duration<T>("at", &T::at, any_wait, "Its begin, from the start of the server.")),
              needed(duration<T>("for", &T::length, time_limit, "How long it lasts.")),
              needed(custom<T>("answer", std::move(answers),
                               [](T& storm, const YAML::Node& node, Reading& reading) {
                                 const auto word = reading.letters(node, "one of the choices");
                                 if (!word) return;
                                 const auto fault = storm_answer_from(*word);
                                 if (fault) {
                                   storm.answer = *fault;
                                 } else {
                                   reading.problem(node, "\"" + shorten(*word, 60) + "\" is no answer of a storm; " +
                                                             suggestion(*word, storm_answers()));
                                 }
                               })),
              share<T>("share", &T::share, "Of the requests that come in its time."),
              duration<T>("retry_after", &T::retry_after, any_wait, "Sent with 429, 529, 503 and 500."),
          }};
}

Field<ModelFaultsFile> storms_field() {
  auto field = kept_in(&ModelFaultsFile::faults,
                       objects<ModelFaultSettings, ModelStorm>("storms", &ModelFaultSettings::storms, storm_section(),
                                                               "Times in which requests fail."));
  field.read = [read = std::move(field.read)](ModelFaultsFile& file, const YAML::Node& node, Reading& reading) {
    if (node.IsSequence() && node.size() > most_storms) {
      return reading.problem(node, "there are " + std::to_string(node.size()) + " storms, at most " +
                                       std::to_string(most_storms) +
                                       " are read; put those that follow each other into one");
    }
    read(file, node, reading);
    for (std::size_t i = 0; i < file.faults.storms.size(); ++i) {
      const auto& storm = file.faults.storms[i];
      if (storm.retry_after && !takes_retry_after(storm.answer)) {
        reading.problem(node[i], "a storm of " + std::string(storm_answer(storm.answer)) +
                                     " sends no retry_after; leave it out, or answer 429, 529, 503 or 500");
      }
    }
  };
  return field;
}

/// A section whose options are kept in the whole file.
Field<ModelFaultsFile> part_of_file(std::string name, Section<ModelFaultsFile> section) {
  Json schema = section.schema();
  return custom<ModelFaultsFile>(
      std::move(name), std::move(schema),
      [section = std::move(section)](ModelFaultsFile& file, const YAML::Node& node, Reading& reading) {
        section.read(file, node, reading);
      });
}

/// A section that is there or not.
template <class Part>
Field<ModelFaultsFile> optional_part(std::string name, std::optional<Part> ModelFaultSettings::*member,
                                     Section<Part> section) {
  Json schema = section.schema();
  return custom<ModelFaultsFile>(
      std::move(name), std::move(schema),
      [member, section = std::move(section)](ModelFaultsFile& file, const YAML::Node& node, Reading& reading) {
        section.read((file.faults.*member).emplace(), node, reading);
      });
}

Section<ModelFaultsFile> file_section() {
  using F = ModelFaultSettings;
  auto shares = part_of_file("shares", shares_section());
  shares.read = [read = std::move(shares.read)](ModelFaultsFile& file, const YAML::Node& node, Reading& reading) {
    read(file, node, reading);
    if (const double sum = sum_of_shares(file); sum > 1 + 1e-9) {
      reading.problem(node, "the shares add up to " + real_text(sum) +
                                ", and one request has one fault; lower them to 1 together at most");
    }
  };
  return {"Faults of the built-in model server.",
          {
              number<ModelFaultsFile, std::uint64_t>("seed", &ModelFaultsFile::seed, 0,
                                                     std::numeric_limits<std::uint64_t>::max(),
                                                     "What faults and latency are drawn from."),
              std::move(shares),
              kept_in(&ModelFaultsFile::faults,
                      duration<F>("slow_body_time", &F::slow_body_time, time_limit,
                                  "How long a slow body takes from its first piece to its last.")),
              kept_in(&ModelFaultsFile::behaviour, share("lies", &ModelServerSettings::lie_share,
                                                         "Goals, not requests, whose success is claimed at once.")),
              kept_in(&ModelFaultsFile::behaviour, texts("lie_about", &ModelServerSettings::lie_about,
                                                         "Goals that contain one of these are lied about, too.")),
              part_of_file("limits", limits_section()),
              optional_part("ramp_limit", &F::ramp_limit, ramp_section()),
              storms_field(),
              optional_part("quota", &F::quota, quota_section()),
          }};
}

/// The place of the first byte that no text has; nothing where it is a text.
std::optional<std::string> byte_of_no_text(const std::string& text) {
  const auto strange = std::find_if(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7f || (byte < 0x20 && c != '\n' && c != '\r' && c != '\t');
  });
  if (strange == text.end()) return std::nullopt;
  char shown[8];
  std::snprintf(shown, sizeof shown, "0x%02x", static_cast<unsigned>(static_cast<unsigned char>(*strange)));
  return "byte " + std::to_string(strange - text.begin() + 1) + " is " + shown;
}

constexpr const char* what_to_give = "give a file of faults in YAML, such as configs/model/faults.yaml";

}  // namespace

LoadedModelFaults read_model_faults(const std::string& text, const std::string& file, const Environment& environment) {
  LoadedModelFaults loaded;
  if (const auto strange = byte_of_no_text(text)) {
    loaded.problems.push_back({file, 0, 0, "this is no text file, " + *strange + "; " + what_to_give});
    return loaded;
  }
  Reading reading(file, environment);
  if (const auto root = read_document(text, reading)) {
    static const Section<ModelFaultsFile> section = file_section();
    section.read(loaded.file, *root, reading);
  } else if (!reading.problems().empty()) {
    auto& message = reading.problems().back().message;
    message += std::string("; ") + what_to_give;
  }
  loaded.problems = std::move(reading.problems());
  std::stable_sort(loaded.problems.begin(), loaded.problems.end(),
                   [](const Problem& a, const Problem& b) { return a.line < b.line; });
  for (Problem& one : loaded.problems) one.message = hide_secrets(one.message, reading.secrets());
  return loaded;
}

LoadedModelFaults load_model_faults(const std::string& path, const Environment& environment) {
  const auto text = read_regular_file(path, largest_faults_file);
  if (text.ok()) return read_model_faults(*text, path, environment);
  // The cause names the path by itself.
  std::string cause = text.error().cause;
  if (cause.starts_with(path + " ")) cause.erase(0, path.size() + 1);
  LoadedModelFaults loaded;
  loaded.problems.push_back({path, 0, 0, "the file " + cause + "; " + what_to_give});
  return loaded;
}

}  // namespace drover::config
