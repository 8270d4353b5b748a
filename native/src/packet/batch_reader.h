// Packets of rings as records of a capture file, copied into the caller's buffer when he asks for them: what he reads next is still in
// his processor's cache. A thread that copied ahead of him would fill another processor's (bench: capture-decode).
//
// Owns: the rings. Their sockets are closed by a thread of its own, as that waits for all processors.
// Threads: the caller's.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/descriptor.h"
#include "packet/hold.h"
#include "packet/packet.h"
#include "packet/progress.h"
#include "packet/record.h"
#include "packet/ring.h"

namespace nodecore::packet {

// Records of one ring.
struct Batch {
  std::uint32_t ring = 0;
  std::uint32_t bytes = 0;
  std::uint32_t packets = 0;
  // Of those, packets that were longer than their record holds.
  std::uint32_t truncated = 0;
};

struct RecordOptions {
  std::uint32_t snap_length = 0;
  Format format = Format::kPcap;
};

class BatchReader {
 public:
  static std::expected<BatchReader, SysError> Open(const CaptureOptions& options, RecordOptions records);

  BatchReader(BatchReader&&) noexcept = default;
  BatchReader& operator=(BatchReader&&) = delete;
  // Packets that nobody asked for are lost.
  ~BatchReader();

  // What is ready, as much as fits; `buffer` holds more than one record of the snap length. Without packets: there is
  // nothing now, and fd() becomes readable when there may be, or it has ended.
  Batch Take(std::span<std::byte> buffer);

  // No packet gets in any more; what is in the rings can still be taken, and then it ends.
  void Stop();
  // Ends at once: what is in the rings is lost.
  void Abandon();

  Progress Look();
  // Nothing more comes; Look() says why.
  bool ended() const noexcept { return end_ != End::kNone; }

  int fd() const noexcept { return wake_.get(); }

 private:
  struct Source {
    bool cooked;
    std::uint64_t taken = 0;
    RingCounters counters;
    // What is left of the block that is being taken.
    std::optional<Walk> walk;
    // Why nothing more comes: the interface went down or away.
    std::optional<SysError> gone;
  };
  // Shared with the thread that closes the sockets.
  struct Closing {
    Descriptor told;
    std::atomic<bool> done = false;
  };

  BatchReader(Hold hold, RecordOptions records) noexcept : hold_(hold), records_(records) {}
  Batch TakeFrom(std::uint32_t index, std::span<std::byte> buffer);
  bool Rest();
  bool Leave(std::uint32_t index);
  void WatchRings(bool watch);
  void Count();
  void Finish(End why, std::optional<SysError> what = std::nullopt, std::optional<std::uint32_t> where = std::nullopt);
  void CloseRings();

  std::vector<Ring> rings_;
  std::vector<Source> sources_;
  // An epoll instance of the others: readable with any of them.
  Descriptor wake_;
  Descriptor timer_;
  std::shared_ptr<Closing> closing_ = std::make_shared<Closing>();
  Hold hold_;
  Found found_;
  RecordOptions records_;
  // The ring to begin with: each has its turn.
  std::uint32_t turn_ = 0;
  std::uint32_t last_gone_ = 0;
  bool watching_ = false;
  bool silent_ = false;
  End end_ = End::kNone;
  std::optional<SysError> failure_;
  std::optional<std::uint32_t> failed_ring_;
};

}  // namespace nodecore::packet
