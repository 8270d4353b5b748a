// A source with a thread that works on it, one piece at a time: who does not ask gets nothing, and memory is that of one piece.
//
// Owns: the source and the eventfd, shared with the thread, which may outlive it for as long as a system call takes. A file
// system that does not answer keeps the thread, and nobody else.
// Threads: one of its own. Call it from one thread at a time.
#pragma once

#include <expected>
#include <memory>
#include <optional>

#include "files/source.h"

namespace nodecore::files {

class Stream {
 public:
  // EAGAIN of pthread_create when too many work already.
  static std::expected<Stream, SysError> Open(std::unique_ptr<Source> source);

  Stream(Stream&&) noexcept = default;
  Stream& operator=(Stream&&) = delete;
  ~Stream();

  // Asks for the next piece. One at a time.
  void Submit();
  // Empty while it is being made.
  std::optional<std::expected<Piece, SysError>> Receive();

  // Readable when there is something to receive.
  int fd() const noexcept;

 private:
  struct State;
  static void Work(State& state);

  explicit Stream(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace nodecore::files
