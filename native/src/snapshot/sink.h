// Takes a snapshot's bytes as they come, writes and checks them on a thread of its own. The file gets its name only when
// the check found it sound.
//
// Owns: blocks, file and thread, shared with the thread, which may outlive it for the length of one write.
// Threads: one of its own. Call it from one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "snapshot/result.h"

namespace nodecore::snapshot {

struct SinkOptions {
  std::string path;
  bool replace = false;
};

class Sink {
 public:
  static std::expected<Sink, SysError> Open(SinkOptions options);

  Sink(Sink&&) noexcept = default;
  Sink& operator=(Sink&&) = delete;
  // Abandons what is not finished.
  ~Sink();

  // That many bytes are to come; before the first of them.
  void Expect(std::uint64_t bytes);
  // How many of the bytes had room. After fewer than all, the descriptor gets readable when there is room again.
  std::size_t Append(Bytes bytes);
  // There are no more bytes. The descriptor gets readable when the result is there.
  void Finish();
  // Leaves nothing. The result says so.
  void Abandon();

  // Clears the descriptor.
  void Acknowledge();
  std::optional<Result> Look();
  int fd() const noexcept;

 private:
  struct State;
  explicit Sink(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace nodecore::snapshot
