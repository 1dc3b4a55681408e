#pragma once

#include "providers/scripted/goal.hpp"

namespace drover::providers::scripted {

/// An app that a goal calls by its name.
struct NamedApp {
  Terms words;            ///< Of the name; none: the goal names no app, or one whose topic the lexicon knows.
  bool for_sure = false;  ///< The goal says that it is an app ("the radio app"); else capitals do, or a thing's own
                          ///< name ("the tea timer").
};

/// The app that the part at `index` names: "Open Tea timer", "… in the radio app".
NamedApp named_app(const Goal& goal, std::size_t index);

}  // namespace drover::providers::scripted
