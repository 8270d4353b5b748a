#include "packet/batch_sink.h"

#include <sys/eventfd.h>

#include <utility>

#include "packet/record.h"

namespace nodecore::packet {

std::expected<std::shared_ptr<BatchSink>, SysError> BatchSink::Open(std::uint32_t buffers, std::uint32_t buffer_bytes,
                                                                    std::uint32_t snap_length, int ready_fd) {
  Descriptor room(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (room.get() < 0) return Failed("eventfd");
  std::shared_ptr<BatchSink> sink(new BatchSink(buffer_bytes, snap_length, ready_fd, std::move(room)));
  for (std::uint32_t i = 0; i < buffers; ++i) {
    sink->buffers_.push_back(std::make_unique_for_overwrite<std::byte[]>(buffer_bytes));
    sink->free_.push_back(i);
  }
  return sink;
}

// A buffer for records of this interface; false when all of them are with the reader.
bool BatchSink::Begin(std::uint32_t interface) {
  if (current_ && current_->interface == interface) return true;
  if (current_) Flush();
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return false;
  current_ = Batch{free_.back(), interface, 0, 0};
  free_.pop_back();
  return true;
}

Taken BatchSink::Take(Walk& walk, std::uint32_t interface) {
  Packet packet;
  while (walk.left() > 0) {
    if (current_ && current_->bytes + kPcapRecordBytes + walk.next_bytes() > buffer_bytes_) Flush();
    if (!Begin(interface)) return Taken::kFull;
    std::byte* const begin = buffers_[current_->buffer].get();
    std::byte* out = begin + current_->bytes;
    const std::byte* const end = begin + buffer_bytes_;
    const std::uint32_t before = walk.left();
    while (walk.left() > 0 && out + kPcapRecordBytes + walk.next_bytes() <= end) {
      walk.Next(packet);
      out += WriteRecord(packet, Format::kPcap, snap_length_, interface, out);
    }
    current_->bytes = static_cast<std::uint32_t>(out - begin);
    current_->packets += before - walk.left();
  }
  return Taken::kAll;
}

Taken BatchSink::Flush() {
  if (!current_) return Taken::kAll;
  {
    const std::lock_guard lock(mutex_);
    filled_.push_back(*std::exchange(current_, std::nullopt));
  }
  eventfd_write(ready_fd_, 1);
  return Taken::kAll;
}

std::vector<Batch> BatchSink::Receive() {
  const std::lock_guard lock(mutex_);
  std::vector<Batch> batches(filled_.begin(), filled_.end());
  filled_.clear();
  return batches;
}

void BatchSink::Recycle(std::uint32_t buffer) {
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(buffer);
  }
  eventfd_write(room_.get(), 1);
}

}  // namespace nodecore::packet
