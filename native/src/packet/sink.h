// Where packets go.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/sys_error.h"
#include "packet/packet.h"

namespace nodecore::packet {

enum class Taken : std::uint8_t {
  kAll,     // the whole block
  kEnough,  // a limit is reached: what is left of the walk is not wanted
  kFailed,  // see failure()
};

// What became of the packets that a sink took.
struct Kept {
  // Whole where they were to go.
  std::uint64_t written = 0;
  // Not there, because of the failure.
  std::uint64_t lost = 0;
};

// Called by one thread.
class Sink {
 public:
  virtual ~Sink() = default;

  virtual Taken Take(Walk& walk, std::uint32_t interface) = 0;
  // Nothing more comes for now: what is held back goes out.
  virtual Taken Flush() = 0;
  // After the last packet, also after a failure.
  virtual Taken Close() = 0;

  std::optional<SysError> failure() const noexcept { return failure_; }
  // By interface; what the sink still holds back is in neither number.
  virtual const std::vector<Kept>& kept() const noexcept = 0;

 protected:
  Taken Fail(SysError failure) noexcept {
    failure_ = failure;
    return Taken::kFailed;
  }

 private:
  std::optional<SysError> failure_;
};

}  // namespace nodecore::packet
