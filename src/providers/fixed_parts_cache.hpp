#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "providers/model_capabilities.hpp"
#include "providers/model_request.hpp"

namespace drover::providers {

/// Keeps the serialised system prompt and tool list of the last request: they are
/// the same for thousands of requests, and writing them out costs more than the
/// rest of a body. Thread-safe.
template <class Parts>
class FixedPartsCache {
 public:
  /// The parts for this request; `make(system_prompt, tools)` builds them when the
  /// prompt, the tool set or what the model takes is another than last time.
  template <class Make>
  std::shared_ptr<const Parts> get(const ModelRequest& request, std::shared_ptr<const ModelCapabilities> capabilities,
                                   Make&& make) {
    {
      const std::lock_guard lock(mutex_);
      if (last_ && last_->tools == request.tools && last_->capabilities == capabilities &&
          last_->system_prompt == request.system_prompt) {
        return {last_, &last_->parts};
      }
    }
    auto entry = std::make_shared<const Entry>(Entry{request.tools, std::move(capabilities), request.system_prompt,
                                                     make(request.system_prompt, request.tools.get())});
    const std::lock_guard lock(mutex_);
    last_ = entry;
    return {entry, &entry->parts};
  }

 private:
  struct Entry {
    std::shared_ptr<const ToolSet> tools;  ///< Held, as is the next, so that its address stays its own.
    std::shared_ptr<const ModelCapabilities> capabilities;
    std::string system_prompt;
    Parts parts;
  };

  std::mutex mutex_;
  std::shared_ptr<const Entry> last_;
};

}  // namespace drover::providers
