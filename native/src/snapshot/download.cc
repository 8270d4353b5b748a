#include "snapshot/download.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace nodecore::snapshot {

std::expected<Download, SysError> Download::Begin(h2::Request request, std::int32_t window_bytes, Layout layout) {
  auto call = h2::Call::Begin(std::move(request), window_bytes);
  if (!call) return std::unexpected(call.error());
  return Download(std::move(*call), layout);
}

std::size_t Download::Feed(Bytes bytes, Sink* sink, std::span<std::byte> copy) {
  std::size_t taken = 0;
  const auto piece = [&](Bytes content) {
    // Content is part of what was fed, so that it fits; a copy that is too short gets nothing.
    if (content.size() <= copy.size() - std::min(taken, copy.size())) {
      std::memcpy(copy.data() + taken, content.data(), content.size());
    }
    taken += content.size();
    if (sink == nullptr) return;
    if (const auto total = messages_.total(); total && !std::exchange(expected_, true)) sink->Expect(*total);
    if (held_.empty()) content = content.subspan(sink->Append(content));
    held_.insert(held_.end(), content.begin(), content.end());
  };
  call_.Feed(bytes, [&](Bytes content) { return messages_.Feed(content, piece); });
  return taken;
}

void Download::Flush(Sink& sink) {
  const std::size_t taken = sink.Append(held_);
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(taken));
}

}  // namespace nodecore::snapshot
