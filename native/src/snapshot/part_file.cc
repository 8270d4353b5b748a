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

// The lock is on a file; the name may lead to another one by now.
bool IsStill(const std::string& path, int fd) noexcept {
  struct stat named;
  struct stat open;
  return stat(path.c_str(), &named) == 0 && fstat(fd, &open) == 0 && named.st_ino == open.st_ino &&
         named.st_dev == open.st_dev;
}

bool IsAligned(const void* at, std::size_t size) noexcept {
  return reinterpret_cast<std::uintptr_t>(at) % PartFile::kAlignment == 0 && size % PartFile::kAlignment == 0;
}

}  // namespace

std::expected<PartFile, SysError> PartFile::Open(std::string path, bool replace) {
  if (!replace && access(path.c_str(), F_OK) == 0) return std::unexpected(SysError{"open", EEXIST});
  const std::string part = path + ".part";
  while (true) {
    Descriptor file(open(part.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, kOwnerOnly));
    if (file.get() < 0) return Failed("open");
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) return Failed("flock");
    if (!IsStill(part, file.get())) continue;
    if (ftruncate(file.get(), 0) != 0) return Failed("ftruncate");
    PartFile made(std::move(path), replace, std::move(file));
    made.direct_ = fcntl(made.fd(), F_SETFL, O_DIRECT) == 0;
    return made;
  }
}

PartFile::~PartFile() {
  if (file_.get() >= 0) unlink(part().c_str());
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
  int renamed = renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, path_.c_str(), replace_ ? 0 : RENAME_NOREPLACE);
  // A filesystem without the flag: the next best is to look first.
  if (renamed != 0 && errno == EINVAL && !replace_) {
    if (access(path_.c_str(), F_OK) == 0) return std::unexpected(SysError{"rename", EEXIST});
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
