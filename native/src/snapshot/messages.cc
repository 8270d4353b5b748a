#include "snapshot/messages.h"

#include <utility>

#include "snapshot/sha256.h"

namespace nodecore::snapshot {

namespace {

constexpr std::uint8_t kPrefixBytes = 5;
constexpr unsigned kLastShift = 63;

}  // namespace

void Messages::Byte(std::uint8_t byte) noexcept {
  if (state_ == State::kPrefix) return Prefix(byte);
  message_left_ -= 1;
  number_ |= static_cast<std::uint64_t>(byte & 0x7f) << shift_;
  shift_ += 7;
  if (byte >= 0x80) {
    if (shift_ > kLastShift || message_left_ == 0) fault_ = MessageFault::kNumber;
    return;
  }
  const std::uint64_t number = std::exchange(number_, 0);
  shift_ = 0;
  if (state_ == State::kTag) return Tag(number);
  if (state_ == State::kLength) return Length(number);
  if (field_ == layout_.remaining) remaining_ = number;
  if (field_ == layout_.total) total_ = number;
  EndField();
}

void Messages::Prefix(std::uint8_t byte) noexcept {
  if (prefix_read_ == 0 && byte != 0) {
    fault_ = MessageFault::kCompressed;
    return;
  }
  prefix_read_ += 1;
  message_left_ = message_left_ << 8 | byte;
  if (prefix_read_ < kPrefixBytes) return;
  // Proto3 leaves out a zero: nothing follows the piece.
  remaining_ = 0;
  EndField();
}

void Messages::EndField() noexcept {
  state_ = message_left_ > 0 ? State::kTag : State::kPrefix;
  if (state_ == State::kPrefix) prefix_read_ = 0;
}

void Messages::Tag(std::uint64_t tag) noexcept {
  const std::uint64_t wire_type = tag % 8;
  field_ = tag / 8;
  if (field_ == 0 || (wire_type != 0 && wire_type != 2)) {
    fault_ = MessageFault::kWireType;
  } else if (message_left_ == 0) {
    fault_ = MessageFault::kNoValue;
  } else {
    state_ = wire_type == 0 ? State::kNumber : State::kLength;
  }
}

void Messages::Length(std::uint64_t length) noexcept {
  if (length > message_left_) {
    fault_ = MessageFault::kTooLong;
    return;
  }
  field_left_ = length;
  state_ = field_ == layout_.data ? State::kPiece : State::kSkipped;
  if (state_ == State::kPiece && layout_.remaining != 0 && !total_) total_ = remaining_ + length + sizeof(Digest);
  if (field_left_ == 0) EndField();
}

}  // namespace nodecore::snapshot
