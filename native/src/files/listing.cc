#include "files/listing.h"

#include <chrono>
#include <utility>

#include "files/details.h"
#include "files/failures.h"
#include "files/wire.h"

namespace nodecore::files {

namespace {

// FileBatch
constexpr std::uint32_t kEntries = 1;
constexpr std::uint32_t kFailures = 2;

// Slow file systems show what they have, too.
constexpr auto kPatience = std::chrono::milliseconds(200);

}  // namespace

std::expected<void, SysError> Listing::Fill(Piece& piece, const std::atomic<bool>& cancelled) {
  if (!walk_) {
    auto walk = Walk::Open(request_.root, {.depth = request_.depth,
                                           .status = request_.details,
                                           .one_file_system = request_.one_file_system});
    if (!walk) return std::unexpected(walk.error());
    walk_.emplace(std::move(*walk));
  }
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (std::size_t count = 1; piece.bytes.size() < kPieceBytes; ++count) {
    if (cancelled) return std::unexpected(SysError{"read", ECANCELED});
    const Item* item = walk_->Next();
    if (item == nullptr) {
      piece.last = true;
      break;
    }
    if (item->failed) {
      AddFailure(piece.bytes, kFailures, item->path, item->error);
    } else {
      Add(piece, *item);
    }
    if (count % 64 == 0 && std::chrono::steady_clock::now() >= end && piece.bytes.size() > kHeadroom) break;
  }
  return {};
}

void Listing::Add(Piece& piece, const Item& item) {
  const std::uint32_t type = WireType(item.type);
  if (request_.types != 0 && (request_.types >> type & 1) == 0) return;
  message_.clear();
  Wire wire(message_);
  wire.Bytes(1, item.path);
  wire.Number(2, type);
  if (request_.details) AddDetails(wire, item);
  Wire(piece.bytes).Message(kEntries, message_);
}

}  // namespace nodecore::files
