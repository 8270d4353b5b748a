// Turns at a TPM that nobody shares out. It has room for three objects; the storage root key, what is loaded under it and
// what a command needs for itself take all of it. The kernel's resource manager gives each connection a room of its own; on
// a bare TPM, and on the socket of a software TPM, which takes a connection for each command, all connections share one.
// Every request leaves the TPM as empty as it found it, so one request at a time is enough.
//
// Threads: any.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace nodecore::tpm {

class Turns {
 public:
  // Given back in the destructor.
  class Turn {
   public:
    explicit Turn(Turns* turns) noexcept : turns_(turns) {}
    Turn(Turn&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn();

   private:
    Turns* turns_;
  };

  // The same for everybody in this process who names the TPM in the same way.
  static std::shared_ptr<Turns> Of(const std::string& tcti);

  // Waits for its turn, first come, first served; empty when it was given up meanwhile. `given_up` is asked whenever
  // somebody's turn ends and at each Wake.
  std::optional<Turn> Take(const std::function<bool()>& given_up);

  // After something changed what a `given_up` answers.
  void Wake();

 private:
  // A resource manager shares the TPM out by itself: everybody's turn is now.
  explicit Turns(bool shared) noexcept : shared_(shared) {}
  void Give();

  const bool shared_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;
  std::deque<std::uint64_t> waiting_;  // the first one has its turn
};

}  // namespace nodecore::tpm
