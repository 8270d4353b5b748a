// A thread that empties rings into a sink.
//
// Owns: rings, sink and thread, shared with the thread, which may outlive it for the length of one write.
// Threads: one of its own. Call it from one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/sys_error.h"
#include "packet/ring.h"
#include "packet/sink.h"

namespace nodecore::packet {

// Why a capture has ended.
enum class End : std::uint8_t {
  kNone,     // it has not
  kStopped,  // as it was told
  kEnough,   // a limit of the sink
  kFailed,   // the sink's failure, or the interface's
};

struct Progress {
  // Of every ring, in the order they were given.
  std::vector<RingCounters> rings;
  // Packets that reached the sink.
  std::vector<std::uint64_t> taken;
  End end = End::kNone;
  std::optional<SysError> failure;
  // The sockets are gone, and promiscuous mode with them: some 20 ms after the end.
  bool closed = false;
  // The ring whose interface failed.
  std::optional<std::uint32_t> failed_ring;
};

struct CaptureOptions {
  std::vector<RingOptions> rings;
  // While much arrives, the thread may let blocks gather that long; 0 wakes it for every block.
  std::uint32_t most_hold_ms = 0;
};

class Capture {
 public:
  // `make_sink` gets the descriptor that it makes readable when there is something for the reader.
  using MakeSink = std::function<std::expected<std::shared_ptr<Sink>, SysError>(int ready_fd)>;
  static std::expected<Capture, SysError> Open(const CaptureOptions& options, const MakeSink& make_sink);

  Capture(Capture&&) noexcept = default;
  Capture& operator=(Capture&&) = delete;
  // Ends at once; packets that the sink does not have yet are lost.
  ~Capture();

  // No packet gets in any more; what is in the rings still goes to the sink, and then it ends.
  void Stop();

  // Clears the descriptor: what it announced is about to be taken.
  void Acknowledge();

  // Leaves the descriptor as it is: whoever only looks takes no announcement from whoever waits.
  Progress Look();

  // Readable when the sink has something for the reader, and at the end.
  int fd() const noexcept;

 private:
  struct State;

  explicit Capture(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace nodecore::packet
