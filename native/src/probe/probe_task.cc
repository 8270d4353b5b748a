#include "probe/probe_task.h"

#include <fcntl.h>
#include <linux/cdrom.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <climits>

#include "core/descriptor.h"

namespace nodecore::probe {

namespace {

// O_NONBLOCK: opening an optical drive must not wait for a medium.
constexpr int kOpenFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

std::expected<std::uint64_t, SysError> SizeOf(int fd) {
  struct stat status;
  if (fstat(fd, &status) < 0) return Failed("fstat");
  if (!S_ISBLK(status.st_mode)) return static_cast<std::uint64_t>(status.st_size);
  std::uint64_t size = 0;
  if (ioctl(fd, BLKGETSIZE64, &size) < 0) return Failed("BLKGETSIZE64");
  return size;
}

// The kernel keeps the size of the last medium, so only the drive knows. One that does not say is taken to have a medium:
// reading it will show.
bool HasMedium(int fd) {
  const int status = ioctl(fd, CDROM_DRIVE_STATUS, CDSL_CURRENT);
  return status != CDS_NO_DISC && status != CDS_TRAY_OPEN;
}

// Whether the device still holds the known bytes. Read past the page cache: that is one copy less, and sees what another
// descriptor wrote. When direct I/O is not to be had, or anything else goes wrong, the answer is no.
bool Holds(const Digest& known, const Task& task) {
  const Descriptor direct(open(task.path.c_str(), kOpenFlags | O_DIRECT));
  if (direct.get() < 0) return false;
  const auto size = SizeOf(direct.get());
  if (!size) return false;
  const auto digest = DigestWindows(direct.get(), *size, task.windows);
  return digest && *digest == known;
}

// Asks the device itself for its first block: a disk in use keeps its page cache, which would answer for one that hangs or
// fails. Where there is no direct I/O to be had, the cache has to do.
std::expected<void, SysError> Answer(int fd) {
  constexpr std::size_t kBlockBytes = 4096;  // a multiple of every sector size in use, aligned as open(2) wants it
  alignas(kBlockBytes) std::byte block[kBlockBytes];
  const int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_DIRECT) < 0) return {};
  ssize_t size = 0;
  do {
    size = pread(fd, block, sizeof block, 0);
  } while (size < 0 && errno == EINTR);
  const int number = errno;
  if (fcntl(fd, F_SETFL, flags) < 0) return Failed("fcntl");
  if (size >= 0 || number == EINVAL || number == EOPNOTSUPP) return {};
  return std::unexpected(SysError{"pread", number});
}

}  // namespace

std::expected<Result, SysError> Run(const Task& task) {
  if (task.known && Holds(*task.known, task)) return Result{Result::Outcome::kUnchanged, 0, {}, task.known, {}};

  const Descriptor device(open(task.path.c_str(), kOpenFlags));
  if (device.get() < 0) return Failed("open");
  if (task.optical && !HasMedium(device.get())) return Result{Result::Outcome::kNoMedium, 0, {}, {}, {}};
  const auto size = SizeOf(device.get());
  if (!size) return std::unexpected(size.error());

  if (task.find_written) {
    ReadOnlyWhatIsAsked(device.get());
    return Result{Result::Outcome::kRead, *size, {}, {}, FindWritten(device.get(), task.windows)};
  }
  if (const auto answer = Answer(device.get()); !answer) return std::unexpected(answer.error());
  ReadOnlyWhatIsAsked(device.get());
  if (const auto read = ReadAhead(device.get(), task.windows); !read) return std::unexpected(read.error());
  std::optional<Digest> digest;
  if (task.digest) {
    // Before libblkid reads the same: what is written in between makes the digest differ next time, never agree.
    const auto digested = DigestWindows(device.get(), *size, task.windows);
    if (!digested) return std::unexpected(digested.error());
    digest = *digested;
  }
  const CachedPages before = digest ? CountCached(device.get()) : std::nullopt;
  auto judgement = Judge(device.get(), task.part.value_or(Window{0, 0}));
  if (!judgement) return std::unexpected(judgement.error());
  const CachedPages after = digest ? CountCached(device.get()) : std::nullopt;
  const bool confined = before == PagesIn(task.windows) && after == before;
  return Result{Result::Outcome::kJudged, *size, std::move(*judgement), confined ? digest : std::nullopt, {}};
}

}  // namespace nodecore::probe
