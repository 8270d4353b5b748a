// Reads a stream of gRPC messages that bring a snapshot without ever holding one: the database's bytes go on as they come.
// https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "snapshot/page_format.h"

namespace nodecore::snapshot {

// In the order of snapshot-download.ts.
enum class MessageFault : std::uint8_t {
  kNone,
  kCompressed,  // which nobody asked for
  kNumber,      // it has no end
  kWireType,    // one that no field of the message has
  kNoValue,     // a field ends the message before its value
  kTooLong,     // a field is longer than its message
};

// The numbers of a message's fields. One that is 0 is not there.
struct Layout {
  std::uint64_t data = 3;
  // Bytes of the database that follow the message's own, as etcd counts them.
  std::uint64_t remaining = 2;
  // Bytes of everything that is to come, with the digest, in a message before the first piece.
  std::uint64_t total = 0;
};

class Messages {
 public:
  explicit Messages(Layout layout = {}) noexcept : layout_(layout) {}

  // Gives pieces of the database to `take`. False when the bytes are no such messages; fault() says why.
  template <typename Take>
  bool Feed(Bytes chunk, const Take& take) {
    while (!chunk.empty() && fault_ == MessageFault::kNone) {
      if (state_ < State::kPiece) {
        Byte(std::to_integer<std::uint8_t>(chunk.front()));
        chunk = chunk.subspan(1);
        continue;
      }
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), field_left_));
      if (state_ == State::kPiece) take(chunk.first(count));
      chunk = chunk.subspan(count);
      message_left_ -= count;
      field_left_ -= count;
      if (field_left_ == 0) EndField();
    }
    return fault_ == MessageFault::kNone;
  }

  // Bytes of everything, with the digest behind the database. Known when the first piece is, if the server sends them.
  std::optional<std::uint64_t> total() const noexcept { return total_; }
  // Between two messages: a stream may end here.
  bool whole() const noexcept { return state_ == State::kPrefix && prefix_read_ == 0; }
  MessageFault fault() const noexcept { return fault_; }

 private:
  // The last two are those of so many bytes of a value.
  enum class State : std::uint8_t { kPrefix, kTag, kNumber, kLength, kPiece, kSkipped };

  void Byte(std::uint8_t byte) noexcept;
  void Prefix(std::uint8_t byte) noexcept;
  void Tag(std::uint64_t tag) noexcept;
  void Length(std::uint64_t length) noexcept;
  void EndField() noexcept;

  Layout layout_;
  State state_ = State::kPrefix;
  MessageFault fault_ = MessageFault::kNone;
  std::uint8_t prefix_read_ = 0;
  std::uint64_t message_left_ = 0;
  std::uint64_t field_ = 0;
  std::uint64_t field_left_ = 0;
  // A number in the making, and the place of its next digit.
  std::uint64_t number_ = 0;
  unsigned shift_ = 0;
  // Of this message: bytes that follow its piece.
  std::uint64_t remaining_ = 0;
  std::optional<std::uint64_t> total_;
};

}  // namespace nodecore::snapshot
