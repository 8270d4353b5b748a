#include "cgroupfs/column.h"

#include <algorithm>
#include <charconv>

namespace nodecore::cgroupfs {

namespace {

// Up to the separator; what follows it stays in `rest`.
std::string_view Take(std::string_view& rest, char separator) noexcept {
  const auto end = std::min(rest.find(separator), rest.size());
  const auto taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

Cell Hundredths(std::uint64_t whole, std::string_view digits) noexcept {
  if (digits.size() != 2 || digits[0] < '0' || digits[0] > '9' || digits[1] < '0' || digits[1] > '9') return {};
  std::uint64_t value;
  if (__builtin_mul_overflow(whole, 100, &value)) return {};
  const auto part = static_cast<std::uint64_t>((digits[0] - '0') * 10 + (digits[1] - '0'));
  if (__builtin_add_overflow(value, part, &value)) return {};
  return {CellState::kValue, value};
}

Cell ToCell(std::string_view word) noexcept {
  if (word == "max") return {CellState::kMax, 0};
  const bool negative = word.starts_with('-');
  if (negative) word.remove_prefix(1);
  std::uint64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc() || stopped == word.data()) return {};
  if (stopped != end) {
    if (*stopped != '.' || negative) return {};
    return Hundredths(value, {stopped + 1, static_cast<std::size_t>(end - stopped - 1)});
  }
  return {CellState::kValue, negative ? ~value + 1 : value};
}

Cell Word(std::string_view line, std::string_view index) noexcept {
  std::size_t count = 0;
  if (!index.empty() && std::from_chars(index.data(), index.data() + index.size(), count).ec != std::errc()) return {};
  for (; count > 0 && !line.empty(); --count) Take(line, ' ');
  return ToCell(Take(line, ' '));
}

Cell Part(std::string_view pairs, std::string_view name) noexcept {
  while (!pairs.empty()) {
    auto pair = Take(pairs, ' ');
    if (Take(pair, '=') == name) return ToCell(pair);
  }
  return {};
}

}  // namespace

Cell ParseColumn(std::string_view text, std::string_view line, std::string_view part) noexcept {
  if (line == "#") return {CellState::kValue, static_cast<std::uint64_t>(std::ranges::count(text, '\n'))};
  if (line.empty()) return Word(Take(text, '\n'), part);
  while (!text.empty()) {
    auto rest = Take(text, '\n');
    if (Take(rest, ' ') == line) return part.empty() ? ToCell(rest) : Part(rest, part);
  }
  return {};
}

}  // namespace nodecore::cgroupfs
