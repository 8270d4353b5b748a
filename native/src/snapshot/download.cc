#include "snapshot/download.h"

#include <cstring>
#include <utility>

#include "snapshot/sha256.h"

namespace nodecore::snapshot {

std::expected<Download, SysError> Download::Begin(h2::Request request, std::int32_t window_bytes) {
  auto call = h2::Call::Begin(std::move(request), window_bytes);
  if (!call) return std::unexpected(call.error());
  return Download(std::move(*call));
}

std::size_t Download::Feed(Bytes bytes, Sink& sink, std::span<std::byte> copy) {
  std::size_t taken = 0;
  const auto piece = [&](Bytes content) {
    // Content is part of what was fed, so that it fits; a copy that is too short gets nothing.
    if (content.size() <= copy.size() - std::min(taken, copy.size())) {
      std::memcpy(copy.data() + taken, content.data(), content.size());
    }
    taken += content.size();
    if (!std::exchange(expected_, true)) sink.Expect(*total_bytes());
    if (held_.empty()) content = content.subspan(sink.Append(content));
    held_.insert(held_.end(), content.begin(), content.end());
  };
  call_.Feed(bytes, [&](Bytes content) { return messages_.Feed(content, piece); });
  return taken;
}

void Download::Flush(Sink& sink) {
  const std::size_t taken = sink.Append(held_);
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(taken));
}

std::optional<std::uint64_t> Download::total_bytes() const noexcept {
  const auto database = messages_.total();
  return database ? std::optional(*database + sizeof(Digest)) : std::nullopt;
}

}  // namespace nodecore::snapshot
