// Parsers of small texts: lists with one entry per line, and the kernel's command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nodecore::init {

// Trimmed lines, without empty ones and comments (#).
std::vector<std::string> Lines(std::string_view text);

// The last value of NAME=VALUE on the kernel's command line, as the kernel takes it. Keeps quotes.
std::optional<std::string> Argument(std::string_view command_line, std::string_view name);

// An unsigned decimal number of at most six digits.
std::optional<int> Number(std::string_view text);

}  // namespace nodecore::init
