#include "core/record_fields.hpp"

#include <algorithm>
#include <utility>

namespace drover {

const Json& RecordFields::field(std::string_view name) {
  asked_.push_back(name);
  return member(record_, name);
}

std::string RecordFields::text(std::string_view name) {
  const Json& value = field(name);
  return value.is_string() ? value.get_ref<const std::string&>() : std::string();
}

std::vector<std::string> RecordFields::texts(std::string_view name) {
  std::vector<std::string> texts;
  const Json& array = field(name);
  if (!array.is_array()) return texts;
  for (const Json& entry : array) {
    if (entry.is_string()) texts.push_back(entry.get<std::string>());
  }
  return texts;
}

std::uint64_t RecordFields::count(std::string_view name, std::uint64_t fallback) {
  asked_.push_back(name);
  return count_or(record_, name, fallback);
}

std::uint32_t RecordFields::small_count(std::string_view name, std::uint32_t fallback) {
  asked_.push_back(name);
  return small_count_or(record_, name, fallback);
}

std::optional<bool> RecordFields::flag(std::string_view name) {
  asked_.push_back(name);
  return optional_boolean(record_, name);
}

Duration RecordFields::microseconds(std::string_view name) {
  asked_.push_back(name);
  constexpr std::int64_t most = Duration::max().count() / 1000;
  return std::chrono::microseconds{std::clamp(integer_or(record_, name), -most, most)};
}

std::optional<UtcTime> RecordFields::time(std::string_view name) {
  const Json& value = field(name);
  return value.is_string() ? from_iso8601(value.get_ref<const std::string&>()) : std::nullopt;
}

void RecordFields::keep(std::string_view name, Json value) {
  const auto is_nothing = [](const Json& json) { return json.is_null() || (json.is_object() && json.empty()); };
  if (is_nothing(value)) return;
  if (value.is_array() && std::all_of(value.begin(), value.end(), is_nothing)) return;
  kept_[std::string(name)] = std::move(value);
}

Json RecordFields::take_extra() {
  if (record_.is_object()) {
    for (const auto& [name, value] : record_.items()) {
      if (std::find(asked_.begin(), asked_.end(), name) == asked_.end()) kept_[name] = value;
    }
  }
  return std::exchange(kept_, Json::object());
}

void add_unknown_fields(Json& object, const Json& fields) {
  if (!object.is_object() || !fields.is_object()) return;
  for (const auto& [name, value] : fields.items()) {
    const auto place = object.find(name);
    if (place == object.end()) {
      object[name] = value;
    } else if (place->is_object()) {
      add_unknown_fields(*place, value);
    }
  }
}

}  // namespace drover
