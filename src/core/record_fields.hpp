#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/json.hpp"

namespace drover {

/// Reads the members of one record and remembers which were asked for: the others
/// are fields of a newer version. The record's value must outlive it.
class RecordFields {
 public:
  explicit RecordFields(const Json& record) : record_(record) { asked_.reserve(32); }

  /// The member, or null; counts it as known.
  const Json& field(std::string_view name);

  std::string text(std::string_view name);
  /// The texts of an array; empty where there is none, what is no text is left out.
  std::vector<std::string> texts(std::string_view name);
  std::uint64_t count(std::string_view name, std::uint64_t fallback = 0);
  std::uint32_t small_count(std::string_view name, std::uint32_t fallback = 0);
  std::optional<bool> flag(std::string_view name);
  /// Whole microseconds; zero where there are none.
  Duration microseconds(std::string_view name);
  std::optional<UtcTime> time(std::string_view name);

  /// An enum's name read by `from`. A name that is not known gives unknown and is
  /// kept, so that it is written back.
  template <class Enum>
  std::optional<Enum> choice(std::string_view name, Enum (*from)(std::string_view) noexcept) {
    const Json& value = field(name);
    if (value.is_null()) return std::nullopt;
    const Enum read = value.is_string() ? from(value.get_ref<const std::string&>()) : Enum::unknown;
    if (read == Enum::unknown) keep(name, value);
    return read;
  }

  /// Keeps something of a known member as if it were an unknown field. An empty
  /// object or array of empty objects is nothing to keep.
  void keep(std::string_view name, Json value);

  /// All members that were not asked for, and what was kept. Call it last.
  [[nodiscard]] Json take_extra();

 private:
  const Json& record_;
  std::vector<std::string_view> asked_;
  Json kept_ = Json::object();
};

/// Puts unknown fields of an object that was encoded anew back to their places,
/// also inside the objects in it. What is there stays as it is.
void add_unknown_fields(Json& object, const Json& fields);

}  // namespace drover
