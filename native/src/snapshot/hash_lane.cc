#include "snapshot/hash_lane.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace nodecore::snapshot {

std::expected<std::unique_ptr<HashLane>, SysError> HashLane::Open(Check& check) {
  std::unique_ptr<HashLane> lane(new HashLane(check));
  try {
    lane->thread_ = std::thread([at = lane.get()] { at->Run(); });
  } catch (const std::system_error&) {
    return std::unexpected(SysError{"pthread_create", EAGAIN});
  }
  return lane;
}

HashLane::~HashLane() {
  if (!thread_.joinable()) return;
  // A block without bytes is the end; what was pushed lies before it.
  Next();
  Push(0);
  thread_.join();
}

std::span<std::byte> HashLane::Next() {
  if (!std::exchange(held_, true)) free_.acquire();
  return blocks_[turn_].bytes;
}

void HashLane::Push(std::size_t bytes) {
  blocks_[turn_].used = bytes;
  turn_ = (turn_ + 1) % kBlocks;
  held_ = false;
  filled_.release();
}

void HashLane::Run() {
  for (std::size_t turn = 0;; turn = (turn + 1) % kBlocks) {
    filled_.acquire();
    const Block& block = blocks_[turn];
    if (block.used == 0) return;
    check_.Hash(Bytes(block.bytes).first(block.used));
    free_.release();
  }
}

}  // namespace nodecore::snapshot
