#include "config/configuration_sections.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "config/assertion_section.hpp"
#include "config/provider_section.hpp"

namespace drover::config {
namespace {

constexpr auto most32 = std::numeric_limits<std::uint32_t>::max();
constexpr auto most64 = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

Section<PlannerSettings> planner_section() {
  using T = PlannerSettings;
  return {
      "Who decides what to do on a phone.",
      {
          flag<T>("enabled", &T::enabled, "Whether a model is asked at all. Off: `drover run --describe` only."),
          text<T>("provider", &T::provider, "The provider to ask; empty: the first."),
          texts<T>("fallback_providers", &T::fallback_providers, "Asked in this order while it can't serve."),
          choice<T>("failover", &T::failover, {"order", "weight", "cost"},
                    "Who is asked among provider and fallback_providers: the first in service, all by their weight, or "
                    "the cheapest in service by its list price."),
          choice<T>("tools", &T::tools, {"core", "full"}, "Which tools the model is offered."),
          number<T, std::uint32_t>("thinking_budget_tokens", &T::thinking_budget_tokens, 1024, 1'000'000,
                                   "Lets the model think first, with so many tokens."),
          number<T, std::uint32_t>("max_output_tokens", &T::max_output_tokens, 64, 128'000,
                                   "Most tokens of one answer; providers charge their limits with it."),
          flag<T>("screenshot", &T::screenshot, "Send a picture with each screen."),
          duration<T>("max_observation_age", &T::max_observation_age, time_limit,
                      "No decision is made on a screen that is older when its turn comes."),
      }};
}

Section<PhoneFaultSettings> faults_section() {
  using T = PhoneFaultSettings;
  return {"Seeded faults of simulated phones; shares of what they can happen to, 0 to 1.",
          {
              share<T>("null_root", &T::null_root, "Dumps that find no root node."),
              share<T>("dump_failure", &T::dump_failure, "Dumps that fail, are cut short or are glued to a message."),
              share<T>("swallowed_tap", &T::swallowed_tap, "Taps that do nothing."),
              share<T>("disconnect", &T::disconnect, "Operations at which the phone goes away for some seconds."),
              share<T>("popup", &T::popup, "Taps after which a dialog puts itself in the way."),
              texts<T>("lost", &T::lost, "Phones that go away for good, as phone-07@12: at its 12th operation."),
          }};
}

Section<SimulatedPhones> phones_section() {
  using T = SimulatedPhones;
  const std::vector<std::string> profiles = {"none", "quick", "typical", "slow"};
  Json latency = choice_schema(profiles);
  latency["description"] = "How long they take for what they do, before the time scale.";
  return {"Simulated phones in this process.",
          {
              number<T, std::uint32_t>("simulated", &T::count, 0, 100'000, "How many."),
              text<T>("apps", &T::apps,
                      "The folder with the files of their apps, relative to this file; left out: the folder apps "
                      "beside it, else the "
                      "apps that come with Drover."),
              custom<T>("latency", std::move(latency),
                        [profiles](T& target, const YAML::Node& node, Reading& reading) {
                          const auto value = reading.letters(node, "one of the choices");
                          if (!value) return;
                          const auto found = std::find(profiles.begin(), profiles.end(), *value);
                          if (found == profiles.end()) {
                            return reading.problem(node, "\"" + shorten(*value, 60) + "\" is not one of the choices; " +
                                                             suggestion(*value, profiles));
                          }
                          target.latency = static_cast<LatencyProfile>(found - profiles.begin());
                        }),
              object<T, PhoneFaultSettings>("faults", &T::faults, faults_section()),
          }};
}

Section<RetrySettings> retries_section() {
  using T = RetrySettings;
  return {
      "What is tried again, on another phone where there is one.",
      {
          choices<T>("classes", &T::classes, "Which ends of an attempt.", {"infra", "in_doubt", "agent", "failure"}),
          number<T, std::uint32_t>("per_task", &T::per_task, 0, 100, "Further attempts of one task."),
          number<T, std::uint32_t>("total", &T::total, 0, 1'000'000, "Further attempts of the whole batch."),
      }};
}

Section<BudgetLimits> budget_limits_section(std::string doc, bool with_time) {
  using T = BudgetLimits;
  constexpr auto most = static_cast<std::uint64_t>(1'000'000'000'000'000);
  std::vector<Field<T>> fields = {
      number<T, std::uint64_t>("calls", &T::calls, 1, most, "Model calls, tries that failed included."),
      number<T, std::uint64_t>("tokens", &T::tokens, 1, most, "Input, cached input too, and output."),
      money<T>("money", &T::micros, 0.0001, 1e9, "Dollars. Every provider that is asked needs a known price."),
  };
  if (with_time) fields.push_back(duration<T>("time", &T::time, time_limit, "Since its first call."));
  return {std::move(doc), std::move(fields)};
}

Section<BudgetSettings> budgets_section() {
  using T = BudgetSettings;
  return {"What model calls may come to. A call that would go beyond is not made; its task ends as budget_exhausted.",
          {
              object<T, BudgetLimits>("task", &T::task, budget_limits_section("Of each task, all its attempts.", true)),
              object<T, BudgetLimits>("batch", &T::batch, budget_limits_section("Of the run.", true)),
              object<T, BudgetLimits>("day", &T::day,
                                      budget_limits_section("Of a day (UTC), over all runs of the journal.", false)),
          }};
}

Section<TaskLimits> task_limits_section() {
  using T = TaskLimits;
  return {"How far a task may go that states nothing else.",
          {
              number<T, std::uint32_t>("max_steps", &T::max_steps, 1, 10'000, "Decisions of one attempt."),
              duration<T>("timeout", &T::timeout, time_limit, "Of one attempt."),
          }};
}

Section<TaskEntry> task_section() {
  using T = TaskEntry;
  return {"One thing to be done on a phone, in words.",
          {
              identifier<T>("id", &T::id, "Its name in tables and reports, unique in the file."),
              text<T>("goal", &T::goal, "What to do, as one would tell a tester.", true),
              text<T>("app", &T::app, "The package to start in; empty: the home screen."),
              texts<T>("tags", &T::tags, "Words to find it by; no option selects by them yet."),
              assertions<T>("assertions", &T::assertions,
                            "What must hold at the end; without any, success can only be claimed."),
              number<T, std::uint32_t>("max_steps", &T::max_steps, 1, 10'000, "Decisions of one attempt."),
              duration<T>("timeout", &T::timeout, time_limit, "Of one attempt."),
              text<T>("device", &T::device, "The one phone to run on; empty: any."),
              identifiers<T>("roles", &T::roles, "Parts that take a phone each; none: one phone."),
              number<T, std::uint32_t>("priority", &T::priority, 1, 1000, "Weight in the line for model calls."),
          }};
}

/// A field of the configuration as a field of the file.
template <class Part>
Field<FileEntry> of_configuration(Field<Part> field) {
  return {std::move(field.name), std::move(field.schema), field.required,
          [read = std::move(field.read)](FileEntry& entry, const YAML::Node& node, Reading& reading) {
            read(entry.configuration, node, reading);
          }};
}

Section<FileEntry> make_file_section() {
  using C = Configuration;
  return {"A configuration of Drover: what to run, on which phones, and who decides.",
          {
              of_configuration(text<C>("title", &C::title, "A line for headers and reports.")),
              of_configuration(
                  number<C, std::uint64_t>("seed", &C::seed, 0, most64, "Of everything that is drawn by chance.")),
              of_configuration(real<C>("time_scale", &C::time_scale, 0, 1000, "Simulated waits are multiplied by it.")),
              of_configuration(
                  text<C>("journal", &C::journal, "The folder of the journal; relative to where Drover is started.")),
              of_configuration(number<C, std::uint32_t>("parallel", &C::parallel, 0, 100'000,
                                                        "Most tasks at once; 0: one per phone.")),
              of_configuration(flag<C>("require_assertions", &C::require_assertions,
                                       "Success that is only claimed counts as a failure.")),
              of_configuration(object<C, PlannerSettings>("planner", &C::planner, planner_section())),
              of_configuration(objects<C, ProviderSettings>("providers", &C::providers, provider_section(),
                                                            "The services that answer model calls.")),
              of_configuration(object<C, SimulatedPhones>("phones", &C::phones, phones_section())),
              of_configuration(object<C, RetrySettings>("retries", &C::retries, retries_section())),
              of_configuration(object<C, BudgetSettings>("budgets", &C::budgets, budgets_section())),
              of_configuration(object<C, TaskLimits>("limits", &C::limits, task_limits_section())),
              objects<FileEntry, TaskEntry>("tasks", &FileEntry::tasks, task_section(), "What is to be done."),
          }};
}

}  // namespace

const Section<FileEntry>& file_section() {
  static const Section<FileEntry> section = make_file_section();
  return section;
}

}  // namespace drover::config
