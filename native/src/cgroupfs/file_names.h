// Names of control files as small numbers, the same for every directory.
//
// Threads: any; a thread's NameCache spares it the lock.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nodecore::cgroupfs {

struct FileName {
  std::uint32_t number;
  // Lives as long as the FileNames.
  const std::string* text;
};

class FileNames {
 public:
  FileName Add(std::string_view name) {
    const std::lock_guard lock(mutex_);
    const auto [found, added] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(numbers_.size()));
    return {found->second, &found->first};
  }

  std::optional<FileName> Find(std::string_view name) {
    const std::lock_guard lock(mutex_);
    const auto found = numbers_.find(std::string(name));
    if (found == numbers_.end()) return std::nullopt;
    return FileName{found->second, &found->first};
  }

  // By number.
  std::vector<std::string> All() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> names(numbers_.size());
    for (const auto& [name, number] : numbers_) names[number] = name;
    return names;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

class NameCache {
 public:
  explicit NameCache(FileNames& names) noexcept : names_(names) {}

  FileName Add(std::string_view name) {
    const auto found = known_.find(name);
    if (found != known_.end()) return found->second;
    const FileName added = names_.Add(name);
    known_.emplace(*added.text, added);
    return added;
  }
  std::optional<FileName> Find(std::string_view name) {
    const auto found = known_.find(name);
    return found != known_.end() ? found->second : names_.Find(name);
  }

 private:
  FileNames& names_;
  std::unordered_map<std::string_view, FileName> known_;
};

}  // namespace nodecore::cgroupfs
