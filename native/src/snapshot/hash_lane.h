// Hashes a database on a thread of its own, while the caller looks at its pages: both take about as long, and neither
// needs what the other finds.
//
// Owns: the blocks that both look at, and the thread, which ends with the object.
// Threads: one of its own. Call it from one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <memory>
#include <semaphore>
#include <span>
#include <thread>
#include <vector>

#include "core/sys_error.h"
#include "snapshot/check.h"

namespace nodecore::snapshot {

class HashLane {
 public:
  // Small enough to be in a processor's cache when it is looked at for the second time.
  static constexpr std::size_t kBlockBytes = 256U << 10;

  // The check must outlive it, and nobody else hashes for it meanwhile.
  static std::expected<std::unique_ptr<HashLane>, SysError> Open(Check& check);

  HashLane(const HashLane&) = delete;
  HashLane& operator=(const HashLane&) = delete;
  // Waits for what was pushed.
  ~HashLane();

  // Room for the next bytes; waits for it. What was pushed last may be read until then.
  std::span<std::byte> Next();
  // So many of them are there now.
  void Push(std::size_t bytes);

 private:
  static constexpr std::size_t kBlocks = 4;

  struct Block {
    std::vector<std::byte> bytes = std::vector<std::byte>(kBlockBytes);
    std::size_t used = 0;
  };

  explicit HashLane(Check& check) noexcept : check_(check) {}
  void Run();

  Check& check_;
  std::array<Block, kBlocks> blocks_;
  // Which one is filled next, and whether it was asked for.
  std::size_t turn_ = 0;
  bool held_ = false;
  std::counting_semaphore<kBlocks> free_{kBlocks};
  std::counting_semaphore<kBlocks> filled_{0};
  std::thread thread_;
};

}  // namespace nodecore::snapshot
