// One call over an HTTP/2 connection of its own, from the client's side: bytes in, bytes out, no socket. libnghttp2 speaks
// the protocol.
//
// Owns: the session. Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/sys_error.h"

namespace nodecore::h2 {

using Bytes = std::span<const std::byte>;
using Headers = std::vector<std::pair<std::string, std::string>>;

// A request of gRPC.
struct Request {
  std::string scheme;
  std::string authority;
  std::string path;
  std::string body;
  // Header fields beside those that every request has. Names in lower case.
  Headers metadata = {};
};

// When the server may send more than the windows hold.
enum class Windows {
  // As soon as content has come: a slow caller does not read the connection.
  kOpen,
  // When Consume says so. The connection is read meanwhile, so that pings are answered.
  kConsumed,
};

class Call {
 public:
  // Takes a piece of the answer's content; false when it wants no more.
  using Taker = std::function<bool(Bytes)>;

  // Both windows, of the stream and of the connection, are that large.
  static std::expected<Call, SysError> Begin(Request request, std::int32_t window_bytes, Windows windows = Windows::kOpen);

  Call(Call&& other) noexcept;
  Call& operator=(Call&&) = delete;
  ~Call();

  // Takes bytes of the connection, and gives on those of the content. What they demand of us is output.
  void Feed(Bytes bytes, const Taker& take);

  // So much of the content that came is dealt with. Output may follow.
  void Consume(std::size_t bytes);
  // Asks whether anybody is there. Output follows.
  void Ping();

  bool has_output() const noexcept;
  // What is to be sent, once.
  std::string TakeOutput();

  // There is no more to come: the answer is complete, or what came is no HTTP/2, or the server will not go on.
  bool over() const noexcept;
  const Headers& headers() const noexcept;
  const Headers& trailers() const noexcept;
  // What the stream was closed with (RFC 9113, 7.), 0 for a complete answer.
  std::uint32_t closed_with() const noexcept;
  // What the server did against the protocol, in nghttp2's words; empty when nothing.
  std::string_view violation() const noexcept;

 private:
  struct State;
  explicit Call(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace nodecore::h2
