#pragma once

#include <string>
#include <string_view>

namespace drover::cli {

/// What a command was asked for, to standard output, written at once. What can't be
/// written is noted for exit_code_with_output(), and nothing further is written.
void print(std::string_view text);

/// A sentence for people, to standard error, behind the name of the program. Gives `code` back.
int say(int code, const std::string& text);

/// Takes the place of standard streams that are closed, so that no file of this
/// process gets the number of one and what is printed lands in it. Before anything is opened.
void occupy_closed_streams();

/// What the process ends with that would end with `code`: 20 in the place of 0 where
/// something printed could not be written, which is said whatever the code is. A
/// reader that has gone away (`drover runs | head`) took what it wanted.
int exit_code_with_output(int code);

}  // namespace drover::cli
