// Rows of numbers and texts, one behind the other: ten thousand rows cost no ten thousand objects.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nodecore::inspect {

struct Table {
  // Exact up to 2^53.
  std::vector<double> numbers;
  // Bytes of all texts; `ends` says where each of them ends.
  std::string text;
  std::vector<std::uint32_t> ends;

  template <typename Number>
  void Add(Number number) {
    numbers.push_back(static_cast<double>(number));
  }
  void AddText(std::string_view bytes) {
    text.append(bytes);
    ends.push_back(static_cast<std::uint32_t>(text.size()));
  }
};

}  // namespace nodecore::inspect
