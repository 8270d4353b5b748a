// A tree with a thread that reads it.
//
// Owns: the tree and the eventfd, shared with the thread, which may outlive it for the length of one system call.
// Threads: one of its own, and the tree's second one. Call it from one thread at a time.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "cgroupfs/scan.h"
#include "core/sys_error.h"

namespace nodecore::cgroupfs {

class TreeReader {
 public:
  static std::expected<TreeReader, SysError> Open(const std::string& path, bool foreign);

  TreeReader(TreeReader&&) noexcept = default;
  TreeReader& operator=(TreeReader&&) = delete;
  ~TreeReader();

  // One at a time.
  void Submit(Request request);
  // The scan that runs ends soon, with ECANCELED.
  void Cancel();
  // Empty when the scan still runs.
  std::optional<std::expected<Scan, SysError>> Receive();

  // Readable when a scan has ended.
  int fd() const noexcept;

 private:
  struct State;
  static void Work(State& state);

  explicit TreeReader(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace nodecore::cgroupfs
