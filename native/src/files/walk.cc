#include "files/walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "files/open.h"

namespace nodecore::files {

namespace {

constexpr std::size_t kSorted = 65'536;
// Of the names of all levels; each has 64 KiB in any case.
constexpr std::size_t kMostNames = 32 * 1024 * 1024;
constexpr std::size_t kBufferBytes = 64 * 1024;

// getdents64(2)
struct Record {
  std::uint64_t inode;
  std::int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[];
};

std::uint8_t TypeOf(std::uint16_t mode) { return static_cast<std::uint8_t>(IFTODT(mode)); }

bool IsDots(const char* name) {
  return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

int Statx(int directory, const char* name, struct statx& status) {
  return statx(directory, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH, STATX_BASIC_STATS, &status);
}

bool IsSameDevice(const struct statx& a, const struct statx& b) {
  return a.stx_dev_major == b.stx_dev_major && a.stx_dev_minor == b.stx_dev_minor;
}

}  // namespace

std::expected<Walk, SysError> Walk::Open(const std::string& path, WalkOptions options) {
  auto place = OpenPlace(path);
  if (!place) return std::unexpected(place.error());
  return Walk(std::move(*place), options);
}

const Item* Walk::Next() {
  if (!started_) return First();
  if (std::exchange(descend_, false)) {
    if (const Item* failure = Descend()) return failure;
  }
  while (!levels_.empty()) {
    Level& level = levels_.back();
    if (level.next < level.order.size()) return Entry(level);
    if (level.exhausted) {
      levels_.pop_back();
    } else if (auto read = Read(level); !read) {
      level.exhausted = true;
      path_.resize(level.path_size);
      return Failure(read.error().syscall, read.error().number);
    }
  }
  return nullptr;
}

const Item* Walk::First() {
  started_ = true;
  item_ = Item{};
  item_.directory = place_.get();
  if (Statx(place_.get(), "", item_.status) != 0) return Failure("statx", errno);
  status_ = item_.status;
  item_.type = TypeOf(item_.status.stx_mode);
  descend_ = item_.type == DT_DIR && options_.depth > 0;
  return &item_;
}

// Null when what is in it comes next.
const Item* Walk::Descend() {
  Level level;
  if (levels_.empty()) {
    auto fd = Reopen(place_, O_DIRECTORY);
    if (!fd) return Failure(fd.error().syscall, fd.error().number);
    level.fd = std::move(*fd);
  } else {
    if (levels_.size() >= kMostDepth) return Failure("open", ELOOP);
    level.fd = Descriptor(
        openat(item_.directory, item_.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (level.fd.get() < 0) return Failure("open", errno);
  }
  level.path_size = path_.size();
  levels_.push_back(std::move(level));
  return nullptr;
}

const Item* Walk::Entry(Level& level) {
  const Name name = level.order[level.next++];
  path_.resize(level.path_size);
  if (!path_.empty()) path_.push_back('/');
  path_.append(&level.names[name.offset]);
  item_.failed = false;
  item_.path = path_;
  item_.directory = level.fd.get();
  item_.name = &level.names[name.offset];
  item_.type = name.type;
  item_.level = levels_.size();
  const bool asks = options_.status || name.type == DT_UNKNOWN || (options_.one_file_system && name.type == DT_DIR);
  if (asks) {
    if (Statx(item_.directory, item_.name, item_.status) != 0) return Failure("statx", errno);
    item_.type = TypeOf(item_.status.stx_mode);
  }
  descend_ = item_.type == DT_DIR && item_.level < options_.depth &&
             !(options_.one_file_system && !IsSameDevice(item_.status, status_));
  return &item_;
}

const Item* Walk::Failure(const char* syscall, int number) {
  item_.failed = true;
  item_.path = path_;
  item_.error = {syscall, number};
  item_.level = levels_.size();
  return &item_;
}

std::expected<void, SysError> Walk::Read(Level& level) {
  buffer_.resize(kBufferBytes);
  const bool first = level.order.empty();
  level.names.clear();
  level.order.clear();
  level.next = 0;
  std::size_t held = 0;
  for (const Level& each : levels_) held += each.names.size();
  while (level.order.size() <= kSorted && (level.order.empty() || held + level.names.size() < kMostNames)) {
    const long size = syscall(SYS_getdents64, level.fd.get(), buffer_.data(), buffer_.size());
    if (size < 0) return Failed("getdents64");
    if (size == 0) {
      level.exhausted = true;
      break;
    }
    for (long at = 0; at < size;) {
      const auto* record = reinterpret_cast<const Record*>(buffer_.data() + at);
      at += record->size;
      if (IsDots(record->name)) continue;
      level.order.push_back({static_cast<std::uint32_t>(level.names.size()), record->type});
      level.names.insert(level.names.end(), record->name, record->name + std::strlen(record->name) + 1);
    }
  }
  if (first && level.exhausted) {
    std::ranges::sort(level.order, [&](Name a, Name b) {
      return std::strcmp(&level.names[a.offset], &level.names[b.offset]) < 0;
    });
  }
  return {};
}

}  // namespace nodecore::files
