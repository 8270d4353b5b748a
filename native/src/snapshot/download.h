// A call that asks for a database: bytes of the connection in, the database into a sink, or out again as a copy.
//
// Owns: the call, and what the sink had no room for. Threads: one at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <vector>

#include "h2/call.h"
#include "snapshot/messages.h"
#include "snapshot/sink.h"

namespace nodecore::snapshot {

class Download {
 public:
  static std::expected<Download, SysError> Begin(h2::Request request, std::int32_t window_bytes, Layout layout);

  // Takes bytes of the connection. Says how many bytes of the database were in them; they are in `copy`, too, when that is
  // as long as `bytes`, and in the sink, when there is one.
  std::size_t Feed(Bytes bytes, Sink* sink, std::span<std::byte> copy);
  // Whether the sink had no room for everything. More may be fed, but that is held here: don't.
  bool held() const noexcept { return !held_.empty(); }
  // Tries again, when the sink has room.
  void Flush(Sink& sink);

  h2::Call& call() noexcept { return call_; }
  const Messages& messages() const noexcept { return messages_; }

 private:
  Download(h2::Call call, Layout layout) noexcept : call_(std::move(call)), messages_(layout) {}

  h2::Call call_;
  Messages messages_;
  std::vector<std::byte> held_;
  bool expected_ = false;
};

}  // namespace nodecore::snapshot
