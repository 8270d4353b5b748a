#include "text.h"

namespace nodecore::init {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view Trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = Trimmed(text.substr(0, end));
    if (!line.empty() && line.front() != '#') lines.emplace_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::optional<std::string> Argument(std::string_view command_line, std::string_view name) {
  std::optional<std::string> found;
  std::size_t at = 0;
  while ((at = command_line.find_first_not_of(kBlanks, at)) != std::string_view::npos) {
    const auto end = std::min(command_line.find_first_of(kBlanks, at), command_line.size());
    const auto word = command_line.substr(at, end - at);
    if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=') found = word.substr(name.size() + 1);
    at = end;
  }
  return found;
}

std::optional<int> Number(std::string_view text) {
  if (text.empty() || text.size() > 6) return std::nullopt;
  int value = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    value = value * 10 + (digit - '0');
  }
  return value;
}

}  // namespace nodecore::init
