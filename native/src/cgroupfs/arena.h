// Bytes that are appended and given away as a whole. Unlike std::vector it never clears what is about to be written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace nodecore::cgroupfs {

class Arena {
 public:
  Arena() noexcept = default;
  explicit Arena(std::size_t capacity) { Reserve(capacity); }
  Arena(Arena&& other) noexcept
      : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)), capacity_(std::exchange(other.capacity_, 0)) {}
  Arena& operator=(Arena&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  // Room for that many bytes more; pointers into the arena die.
  void Reserve(std::size_t room) {
    if (capacity_ - size_ >= room) return;
    const std::size_t capacity = std::max(capacity_ * 2, size_ + room);
    std::unique_ptr<char[]> bytes(new char[capacity]);
    if (size_ > 0) std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  char* end() noexcept { return bytes_.get() + size_; }
  std::size_t room() const noexcept { return capacity_ - size_; }
  void Add(std::size_t bytes) noexcept { size_ += bytes; }
  void Truncate(std::size_t size) noexcept { size_ = size; }
  std::size_t size() const noexcept { return size_; }
  char* data() noexcept { return bytes_.get(); }
  std::string_view From(std::size_t offset) const noexcept { return {bytes_.get() + offset, size_ - offset}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace nodecore::cgroupfs
