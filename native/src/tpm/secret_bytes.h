// Bytes that are overwritten when their owner goes. They never grow, so that no copy is left behind.
#pragma once

#include <string.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace nodecore::tpm {

class SecretBytes {
 public:
  SecretBytes() noexcept = default;
  explicit SecretBytes(std::span<const std::uint8_t> source)
      : bytes_(std::make_unique<std::uint8_t[]>(source.size())), size_(source.size()) {
    if (size_ > 0) memcpy(bytes_.get(), source.data(), size_);
  }
  SecretBytes(SecretBytes&& other) noexcept
      : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
  SecretBytes& operator=(SecretBytes&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~SecretBytes() {
    if (size_ > 0) explicit_bzero(bytes_.get(), size_);
  }

  const std::uint8_t* data() const noexcept { return bytes_.get(); }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }

 private:
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t size_ = 0;
};

// A structure of a C library that is overwritten when the scope ends.
template <typename T>
class Wiped {
 public:
  Wiped() noexcept = default;
  Wiped(const Wiped&) = delete;
  Wiped& operator=(const Wiped&) = delete;
  ~Wiped() { explicit_bzero(&value, sizeof value); }
  T value{};
};

}  // namespace nodecore::tpm
