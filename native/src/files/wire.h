// Messages as protobuf has them on the wire: https://protobuf.dev/programming-guides/encoding/. Values that are zero or empty
// are left out, as that has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nodecore::files {

class Wire {
 public:
  explicit Wire(std::string& out) : out_(out) {}

  void Number(std::uint32_t field, std::uint64_t value) {
    if (value == 0) return;
    Varint(field << 3);
    Varint(value);
  }

  void Signed(std::uint32_t field, std::int64_t value) { Number(field, static_cast<std::uint64_t>(value)); }

  void Bytes(std::uint32_t field, std::string_view value) {
    if (!value.empty()) Message(field, value);
  }

  // Also an empty one: it is an item of a list.
  void Message(std::uint32_t field, std::string_view value) {
    Varint(field << 3 | 2);
    Varint(value.size());
    out_.append(value);
  }

 private:
  void Varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<char>(value | 0x80));
    out_.push_back(static_cast<char>(value));
  }

  std::string& out_;
};

}  // namespace nodecore::files
