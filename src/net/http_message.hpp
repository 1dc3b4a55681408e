#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace drover::net {

/// Header fields in order; names compare without regard to case.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<std::pair<std::string, std::string>> fields) : fields_(fields) {}

  /// Replaces every field of that name.
  void set(std::string_view name, std::string value);
  void add(std::string_view name, std::string value);
  /// The first field's value; empty when there is none.
  [[nodiscard]] std::string_view get(std::string_view name) const noexcept;
  [[nodiscard]] bool has(std::string_view name) const noexcept;

  [[nodiscard]] auto begin() const noexcept { return fields_.begin(); }
  [[nodiscard]] auto end() const noexcept { return fields_.end(); }
  [[nodiscard]] std::size_t size() const noexcept { return fields_.size(); }
  void reserve(std::size_t fields) { fields_.reserve(fields); }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

struct HttpRequest {
  std::string method = "GET";
  std::string target;  ///< Client: an absolute URL. Server: path and query as received.
  Headers headers;
  std::string body;
};

struct HttpResponse {
  int status = 200;
  Headers headers;
  std::string body;
};

}  // namespace drover::net
