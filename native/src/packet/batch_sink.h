// Packets as pcap records in a few buffers that go round: filled here, read by somebody else, given back.
//
// Owns: the buffers. Whoever reads them shares the ownership, so none goes away under a reader.
// Threads: Take and Flush on the capturing one, Receive and Recycle on the reading one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/descriptor.h"
#include "packet/sink.h"

namespace nodecore::packet {

struct Batch {
  std::uint32_t buffer;
  std::uint32_t interface;
  std::uint32_t bytes;
  std::uint32_t packets;
};

class BatchSink final : public Sink {
 public:
  // `buffer_bytes` holds at least one record of `snap_length`. `ready_fd` is written to when a batch waits.
  static std::expected<std::shared_ptr<BatchSink>, SysError> Open(std::uint32_t buffers, std::uint32_t buffer_bytes,
                                                                  std::uint32_t snap_length, int ready_fd);

  Taken Take(Walk& walk, std::uint32_t interface) override;
  Taken Flush() override;
  Taken Close() override { return Flush(); }
  int room_fd() const noexcept override { return room_.get(); }

  std::vector<Batch> Receive();
  void Recycle(std::uint32_t buffer);
  std::span<std::byte> buffer(std::uint32_t index) noexcept { return {buffers_[index].get(), buffer_bytes_}; }
  std::uint32_t buffers() const noexcept { return static_cast<std::uint32_t>(buffers_.size()); }

 private:
  BatchSink(std::uint32_t buffer_bytes, std::uint32_t snap_length, int ready_fd, Descriptor room) noexcept
      : buffer_bytes_(buffer_bytes), snap_length_(snap_length), ready_fd_(ready_fd), room_(std::move(room)) {}
  bool Begin(std::uint32_t interface);

  std::vector<std::unique_ptr<std::byte[]>> buffers_;
  const std::uint32_t buffer_bytes_;
  const std::uint32_t snap_length_;
  const int ready_fd_;
  Descriptor room_;
  // Of the capturing thread: what is being filled.
  std::optional<Batch> current_;

  std::mutex mutex_;
  std::vector<std::uint32_t> free_;
  std::deque<Batch> filled_;
};

}  // namespace nodecore::packet
