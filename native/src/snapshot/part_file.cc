#include "snapshot/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>

namespace nodecore::snapshot {

namespace {

constexpr mode_t kOwnerOnly = 0600;  // a database holds secrets

// The lock is on a file; the name may lead to another one by now. A link is none of ours, wherever it leads.
bool IsStill(const std::string& path, int fd) noexcept {
  struct stat named;
  struct stat open;
  return lstat(path.c_str(), &named) == 0 && fstat(fd, &open) == 0 && named.st_ino == open.st_ino &&
         named.st_dev == open.st_dev;
}

// Nobody else can read it, or write to it by another name or an earlier descriptor.
bool IsOurs(int fd) noexcept {
  struct stat facts;
  return fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid() && facts.st_nlink == 1 &&
         (facts.st_mode & ~S_IFMT & ~kOwnerOnly) == 0;
}

// What a writer that died has left, or somebody else has put there, goes: it keeps its owner, its mode, its other names and
// every process that has it open. EWOULDBLOCK of flock when its writer is alive.
std::expected<void, SysError> RemoveLeft(const std::string& part) {
  struct stat facts;
  if (lstat(part.c_str(), &facts) != 0) return errno == ENOENT ? std::expected<void, SysError>() : Failed("lstat");
  Descriptor left;
  if (S_ISREG(facts.st_mode)) {
    left = Descriptor(open(part.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (left.get() < 0) return errno == ENOENT || errno == ELOOP ? std::expected<void, SysError>() : Failed("open");
    if (flock(left.get(), LOCK_EX | LOCK_NB) != 0) return Failed("flock");
    // Only who has the lock of a file takes its name away.
    if (!IsStill(part, left.get())) return {};
  }
  if (unlink(part.c_str()) != 0 && errno != ENOENT) return Failed("unlink");
  return {};
}

// Only a regular file is replaced: a device, a pipe or a link was hardly meant.
std::expected<void, SysError> MayReplace(const std::string& path, bool replace) {
  struct stat facts;
  if (lstat(path.c_str(), &facts) != 0) return errno == ENOENT ? std::expected<void, SysError>() : Failed("lstat");
  if (!replace) return std::unexpected(SysError{"open", EEXIST});
  if (!S_ISREG(facts.st_mode)) return std::unexpected(SysError{"replace", EOPNOTSUPP});
  return {};
}

bool IsAligned(const void* at, std::size_t size) noexcept {
  return reinterpret_cast<std::uintptr_t>(at) % PartFile::kAlignment == 0 && size % PartFile::kAlignment == 0;
}

}  // namespace

std::expected<PartFile, SysError> PartFile::Open(std::string path, bool replace) {
  if (const auto may = MayReplace(path, replace); !may) return std::unexpected(may.error());
  const std::string part = path + ".part";
  while (true) {
    Descriptor file(open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwnerOnly));
    if (file.get() < 0) {
      if (errno != EEXIST) return Failed("open");
      if (const auto removed = RemoveLeft(part); !removed) return std::unexpected(removed.error());
      continue;
    }
    // A process that looks for parts without a writer may be faster, and takes it for one.
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) return Failed("flock");
    if (!IsStill(part, file.get())) continue;
    PartFile made(std::move(path), replace, std::move(file));
    made.direct_ = fcntl(made.fd(), F_SETFL, O_DIRECT) == 0;
    return made;
  }
}

PartFile::~PartFile() {
  if (file_.get() >= 0 && IsStill(part(), fd())) unlink(part().c_str());
}

std::expected<void, SysError> PartFile::Reserve(std::uint64_t bytes) {
  if (bytes == 0 || fallocate(fd(), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0) return {};
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) return Failed("fallocate");
  return {};
}

std::expected<void, SysError> PartFile::Append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (direct_ && !IsAligned(bytes.data(), bytes.size())) LeaveDirect();
    const ssize_t written = write(fd(), bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      // Some filesystems take the flag and refuse the write.
      if (errno == EINVAL && direct_) {
        LeaveDirect();
        continue;
      }
      return Failed("write");
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

void PartFile::LeaveDirect() noexcept {
  fcntl(fd(), F_SETFL, 0);
  direct_ = false;
}

std::expected<void, SysError> PartFile::Sync() {
  // What was reserved and not needed goes back.
  const off_t size = lseek(fd(), 0, SEEK_CUR);
  if (size >= 0 && ftruncate(fd(), size) != 0) return Failed("ftruncate");
  if (fsync(fd()) != 0) return Failed("fsync");
  return {};
}

std::expected<void, SysError> PartFile::Publish() {
  const std::string from = part();
  // What gets the name is what was proven, and still for us alone.
  if (!IsStill(from, fd()) || !IsOurs(fd())) return std::unexpected(SysError{"rename", ESTALE});
  if (const auto may = MayReplace(path_, replace_); !may) return std::unexpected(may.error());
  int renamed = renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, path_.c_str(), replace_ ? 0 : RENAME_NOREPLACE);
  // A filesystem without the flag: the next best is to look first.
  if (renamed != 0 && errno == EINVAL && !replace_) {
    renamed = rename(from.c_str(), path_.c_str());
  }
  if (renamed != 0) return Failed("rename");
  file_ = Descriptor();
  const std::filesystem::path parent = std::filesystem::path(path_).parent_path();
  const Descriptor directory(open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0) return Failed("open");
  if (fsync(directory.get()) != 0) return Failed("fsync");
  return {};
}

}  // namespace nodecore::snapshot
