// Small texts that the image and the kernel give: lists with a line for each entry, and the kernel's command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nodecore::init {

// Lines without the blanks around them; empty ones, and those that begin with #, are left out.
std::vector<std::string> Lines(std::string_view text);

// The last value of NAME=VALUE on the kernel's command line, which wins there, too. Quotes are kept as they are.
std::optional<std::string> Argument(std::string_view command_line, std::string_view name);

// A decimal number without sign of at most six digits.
std::optional<int> Number(std::string_view text);

}  // namespace nodecore::init
