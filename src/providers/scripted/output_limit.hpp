#pragma once

#include "providers/scripted/model_call.hpp"

namespace drover::providers::scripted {

/// Estimates the output tokens of a reply and cuts it at the limit that the request sets.
void settle_output(const ModelCall& call, ModelReply& reply);

}  // namespace drover::providers::scripted
