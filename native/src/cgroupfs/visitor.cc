#include "cgroupfs/visitor.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "cgroupfs/read_file.h"

namespace nodecore::cgroupfs {

namespace {

// In every cgroup; gone from a dead one.
constexpr const char* kAlways = "cgroup.procs";
constexpr std::string_view kControllers = "cgroup.subtree_control";
// Hides the others while it says 0, and brings them back without any other sign.
constexpr std::string_view kPressure = "cgroup.pressure";
constexpr std::array<std::string_view, 4> kHidden = {"cpu.pressure", "io.pressure", "irq.pressure", "memory.pressure"};

bool NoDescriptor(std::int64_t number) noexcept { return number == EMFILE || number == ENFILE; }
bool NotThere(std::int64_t number) noexcept { return number == ENOENT || number == ENODEV; }

std::uint64_t MonotonicNs() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

bool IsDirectory(int fd, const dirent64& entry) noexcept {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat facts {};
  return fstatat(fd, entry.d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(facts.st_mode);
}

}  // namespace

Visitor::Outcome Visitor::Visit(Directory& directory) {
  directory.worker = index_;
  directory.first_entry = static_cast<std::uint32_t>(entries_.size());
  directory.entries = 0;
  directory.cells.assign(round_.columns.size(), Cell{});
  Descriptor temporary;
  if (const auto outcome = Open(directory, temporary); outcome != Outcome::kRead) return outcome;
  const int fd = directory.fd.get() >= 0 ? directory.fd.get() : temporary.get();
  if (fd < 0) return Outcome::kRead;  // refused
  struct stat facts {};
  if (fstat(fd, &facts) != 0) return Refused(directory, errno);
  if (directory.inode != 0 && directory.inode != facts.st_ino) return Outcome::kGone;
  directory.inode = facts.st_ino;
  if (directory.stale || round_.foreign || directory.links != facts.st_nlink) {
    // From before the listing: what comes meanwhile counts as another change.
    directory.links = facts.st_nlink;
    if (const auto outcome = List(directory, fd); outcome != Outcome::kRead) return outcome;
  }
  if (!directory.children.empty() && !round_.foreign) LookAtControllers(directory, fd);
  return ReadFiles(directory, fd);
}

Visitor::Outcome Visitor::Open(Directory& directory, Descriptor& temporary) {
  if (directory.fd.get() >= 0) return Outcome::kRead;
  Descriptor opened(openat(round_.root_fd, directory.Path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() < 0) {
    if (NoDescriptor(errno)) return Outcome::kNoDescriptor;
    return NotThere(errno) ? Outcome::kGone : Refused(directory, errno);
  }
  (round_.budget->Take() ? directory.fd : temporary) = std::move(opened);
  return Outcome::kRead;
}

Visitor::Outcome Visitor::List(Directory& directory, int fd) {
  std::vector<FileName> files;
  std::vector<std::string> children;
  alignas(dirent64) std::array<char, 16 * 1024> buffer;
  lseek(fd, 0, SEEK_SET);
  while (true) {
    const ssize_t size = getdents64(fd, buffer.data(), buffer.size());
    if (size < 0) return NotThere(errno) ? Outcome::kGone : Refused(directory, errno);
    if (size == 0) break;
    for (const char* at = buffer.data(); at < buffer.data() + size;) {
      const auto& entry = *reinterpret_cast<const dirent64*>(at);
      at += entry.d_reclen;
      const std::string_view name = entry.d_name;
      if (!IsDirectory(fd, entry)) {
        files.push_back(names_.Add(name));
      } else if (name != "." && name != "..") {
        children.emplace_back(name);
      }
    }
  }
  directory.stale = false;
  SetFiles(directory, std::move(files));
  SetChildren(directory, std::move(children));
  return Outcome::kRead;
}

void Visitor::SetFiles(Directory& directory, std::vector<FileName> names) {
  const auto by_number = [](const FileName& a, const FileName& b) { return a.number < b.number; };
  const auto pressure = names_.Find(kPressure);
  const bool may_hide = pressure && std::ranges::any_of(names, [&](auto name) { return name.number == pressure->number; });
  for (const auto hidden : kHidden) {
    if (!may_hide) break;
    if (const auto name = names_.Find(hidden)) names.push_back(*name);
  }
  std::ranges::sort(names, by_number);
  const auto [first, last] = std::ranges::unique(names, {}, &FileName::number);
  names.erase(first, last);

  std::vector<File> files;
  files.reserve(names.size());
  auto old = directory.files.begin();
  for (const auto& name : names) {
    for (; old != directory.files.end() && old->name.number < name.number; ++old) {
      if (old->fd.get() >= 0) round_.budget->Give();
    }
    if (old != directory.files.end() && old->name.number == name.number) {
      files.push_back(std::move(*old++));
    } else {
      files.push_back({name, {}, 0});
    }
  }
  for (; old != directory.files.end(); ++old) {
    if (old->fd.get() >= 0) round_.budget->Give();
  }
  directory.files = std::move(files);
}

void Visitor::SetChildren(Directory& directory, std::vector<std::string> names) {
  std::ranges::sort(names);
  std::erase_if(directory.children, [&](const auto& child) {
    if (std::ranges::binary_search(names, child.first)) return false;
    AppendNumbers(*child.second, gone_);
    child.second->Release(*round_.budget);
    return true;
  });
  for (auto& name : names) {
    if (directory.children.contains(name)) continue;
    auto child = std::make_unique<Directory>(round_.next_id->fetch_add(1), &directory, name);
    directory.children.emplace(std::move(name), std::move(child));
  }
}

void Visitor::LookAtControllers(Directory& directory, int fd) {
  const auto name = names_.Find(kControllers);
  if (!name) return;
  const auto file = std::ranges::lower_bound(directory.files, name->number, {},
                                             [](const File& file) { return file.name.number; });
  if (file == directory.files.end() || file->name.number != name->number) return;
  const std::size_t offset = arena_.size();
  if (Read(fd, *file) < 0) return;
  const std::string_view controllers = arena_.From(offset);
  if (controllers != directory.controllers) {
    directory.controllers = controllers;
    for (auto& [name, child] : directory.children) child->stale = true;
  }
  arena_.Truncate(offset);
}

Visitor::Outcome Visitor::ReadFiles(Directory& directory, int fd) {
  bool found = false;
  bool vanished = false;
  directory.stamp_ns = MonotonicNs();
  for (auto& file : directory.files) {
    if (!Wanted(file.name.number)) continue;
    const std::size_t offset = arena_.size();
    const std::int64_t length = Read(fd, file);
    if (NoDescriptor(-length)) {
      entries_.resize(directory.first_entry);
      return Outcome::kNoDescriptor;
    }
    if (NotThere(-length)) {
      vanished = true;
    } else {
      found = true;
      Keep(directory, file.name.number, offset, length);
    }
  }
  if ((!found || vanished) && Dead(fd)) return Outcome::kGone;
  directory.visited = round_.number;
  return Outcome::kRead;
}

std::int64_t Visitor::Read(int directory_fd, File& file) {
  file.used = round_.number;
  if (file.fd.get() >= 0) {
    const std::int64_t length = ReadFile(file.fd.get(), arena_);
    if (!NotThere(-length)) return length;
    // Of a controller that was switched off, and may be on again: another file by the same name.
    { const Descriptor closing(std::move(file.fd)); }
    round_.budget->Give();
  }
  Descriptor opened(openat(directory_fd, file.name.text->c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (opened.get() < 0) return -errno;
  const std::int64_t length = ReadFile(opened.get(), arena_);
  if (length >= 0 && round_.budget->Take()) file.fd = std::move(opened);
  return length;
}

void Visitor::Keep(Directory& directory, std::uint32_t number, std::size_t offset, std::int64_t length) {
  if (length >= 0) {
    for (std::size_t i = 0; i < round_.columns.size(); ++i) {
      const Column& column = round_.columns[i];
      if (column.file == number) directory.cells[i] = ParseColumn(arena_.From(offset), column.line, column.part);
    }
    if (!round_.texts) {
      arena_.Truncate(offset);
      return;
    }
  }
  entries_.push_back({number, index_, static_cast<std::uint32_t>(offset), static_cast<std::int32_t>(length)});
  directory.entries += 1;
}

// The directory itself can't be read: reported as its file ".".
Visitor::Outcome Visitor::Refused(Directory& directory, int number) {
  directory.visited = round_.number;
  directory.stamp_ns = MonotonicNs();
  Keep(directory, names_.Add(".").number, arena_.size(), -number);
  return Outcome::kRead;
}

bool Visitor::Wanted(std::uint32_t number) const noexcept {
  if (!round_.every_file) return number < round_.wanted.size() && round_.wanted[number];
  return number >= round_.write_only.size() || !round_.write_only[number];
}

bool Visitor::Dead(int fd) const noexcept {
  if (!round_.foreign) return faccessat(fd, kAlways, F_OK, 0) != 0 && NotThere(errno);
  struct stat facts {};
  return fstat(fd, &facts) == 0 && facts.st_nlink == 0;
}

void AppendNumbers(const Directory& directory, std::vector<std::uint32_t>& numbers) {
  if (directory.announced) numbers.push_back(directory.id);
  for (const auto& [name, child] : directory.children) AppendNumbers(*child, numbers);
}

}  // namespace nodecore::cgroupfs
