// Runs requests to one TPM on a thread of its own. A command may take seconds, and a TPM that hangs never answers: libuv's
// pool has four threads for everything the process does, and libuv waits for it when the process ends. The thread is detached;
// one that hangs costs its stack and the connection.
//
// Owns: the queue and the eventfd, shared with the thread, which may outlive it.
// Threads: one. Call it from one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/sys_error.h"
#include "tpm/registers.h"
#include "tpm/sealing.h"

namespace nodecore::tpm {

using Value = std::variant<std::monostate, Bytes, std::vector<std::uint32_t>, Sealed, SecretBytes>;
using Outcome = std::expected<Value, Failure>;
using Request = std::move_only_function<Outcome(Context&)>;

struct Reply {
  std::uint32_t id;
  Outcome outcome;
};

class TpmQueue {
 public:
  static std::expected<TpmQueue, SysError> Open(std::string tcti);

  TpmQueue(TpmQueue&&) noexcept = default;
  TpmQueue& operator=(TpmQueue&&) = delete;
  // What waits is dropped; the connection ends after the request that runs.
  ~TpmQueue();

  void Connect(std::uint32_t id);
  void Disconnect(std::uint32_t id);
  void Submit(std::uint32_t id, Request request);

  // False when it runs, or has been answered.
  bool Cancel(std::uint32_t id);

  std::vector<Reply> Receive();

  // Readable while replies wait.
  int fd() const noexcept;

 private:
  struct State;
  static void Work(const std::shared_ptr<State>& state);

  explicit TpmQueue(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace nodecore::tpm
