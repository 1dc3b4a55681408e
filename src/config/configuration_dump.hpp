#pragma once

#include <functional>
#include <string>

#include "config/configuration.hpp"
#include "config/yaml_fields.hpp"

namespace drover::config {

/// A completed configuration as JSON, in the form of a file: keys left out, of
/// addresses only scheme and host, texts and paths as they are.
Json effective_values(const Configuration& configuration);

/// Puts a text into the effective values in the place of each value that holds a
/// reference: the one that `text` gives, where it gives one.
void put_references(Json& values, const References& references,
                    const std::function<const std::string*(const Reference&)>& text);

}  // namespace drover::config
