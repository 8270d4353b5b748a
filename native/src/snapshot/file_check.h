// Checks a snapshot that is a file already, on a thread of its own, and hashes it on another where that is wanted.
//
// Owns: the file and the thread, shared with the thread, which may outlive it for the length of one read.
// Threads: its own. Call it from one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "snapshot/result.h"

namespace nodecore::snapshot {

class FileCheck {
 public:
  static std::expected<FileCheck, SysError> Open(std::string path, Proof proof);

  FileCheck(FileCheck&&) noexcept = default;
  FileCheck& operator=(FileCheck&&) = delete;
  // Abandons what is not finished.
  ~FileCheck();

  void Abandon();
  // Clears the descriptor, which gets readable every few megabytes, and at the end.
  void Acknowledge();
  std::optional<Result> Look();
  std::uint64_t checked_bytes() const noexcept;
  // 0 until the file is open.
  std::uint64_t file_bytes() const noexcept;
  int fd() const noexcept;

 private:
  struct State;
  explicit FileCheck(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace nodecore::snapshot
