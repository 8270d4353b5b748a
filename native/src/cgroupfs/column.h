// One number out of the text of a control file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nodecore::cgroupfs {

// Where the number stands. `line` is the first word of its line, `part` the name of a `name=value` pair in it: `some`
// and `total` of a pressure file, `usage_usec` of cpu.stat. Without a line it is the first line's word of that index
// (cpu.max: quota and period). The line `#` counts the lines.
struct Column {
  std::uint32_t file;
  std::string line;
  std::string part;
};

enum class CellState : std::uint8_t { kAbsent, kValue, kMax };

// Negative numbers are in two's complement, numbers with a point in hundredths, as the kernel prints both.
struct Cell {
  CellState state = CellState::kAbsent;
  std::uint64_t value = 0;
};

// Absent, too, when the text is not what it should be: a number that is not there is never zero.
Cell ParseColumn(std::string_view text, std::string_view line, std::string_view part) noexcept;

}  // namespace nodecore::cgroupfs
