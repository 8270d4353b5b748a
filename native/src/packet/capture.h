// A thread that empties rings into a sink.
//
// Owns: rings, sink and thread, shared with the thread, which may outlive it for the length of one write.
// Threads: one of its own. Call it from one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>

#include "core/sys_error.h"
#include "packet/progress.h"
#include "packet/sink.h"

namespace nodecore::packet {

class Capture {
 public:
  using MakeSink = std::function<std::expected<std::shared_ptr<Sink>, SysError>()>;
  static std::expected<Capture, SysError> Open(const CaptureOptions& options, const MakeSink& make_sink);

  Capture(Capture&&) noexcept = default;
  Capture& operator=(Capture&&) = delete;
  // Ends at once; packets that the sink does not have yet are lost.
  ~Capture();

  // No packet gets in any more; what is in the rings still goes to the sink, and then it ends.
  void Stop();

  // Clears the descriptor: what it announced is about to be looked at.
  void Acknowledge();

  // Leaves the descriptor as it is: a reader that only looks takes no announcement from one that waits.
  Progress Look();

  // Readable at the end, and when the sockets are gone.
  int fd() const noexcept;

 private:
  struct State;

  explicit Capture(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace nodecore::packet
