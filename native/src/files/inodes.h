// Files that were seen, whatever their names.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace nodecore::files {

// As many as are remembered: about 80 MB. Those that come after are taken for others.
constexpr std::size_t kMostInodes = 1'000'000;

template <typename Value>
class Inodes {
 public:
  // What is known of the file; null when it is seen for the first time, and from now on `value` is.
  const Value* Seen(const struct statx& status, Value value) {
    const Key key = KeyOf(status);
    const auto found = known_.find(key);
    if (found != known_.end()) return &found->second;
    if (known_.size() < kMostInodes) known_.emplace(key, std::move(value));
    else full_ = true;
    return nullptr;
  }

  void Forget(const struct statx& status) { known_.erase(KeyOf(status)); }

  // Some could not be remembered.
  bool full() const noexcept { return full_; }

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  static Key KeyOf(const struct statx& status) noexcept {
    return {(static_cast<std::uint64_t>(status.stx_dev_major) << 32) | status.stx_dev_minor, status.stx_ino};
  }

  struct Hash {
    std::size_t operator()(const Key& key) const noexcept { return (key.first * 0x9e3779b97f4a7c15U) ^ key.second; }
  };

  std::unordered_map<Key, Value, Hash> known_;
  bool full_ = false;
};

}  // namespace nodecore::files
