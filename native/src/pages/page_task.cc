#include "pages/page_task.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "pages/siphash.h"

namespace nodecore::pages {

namespace {

constexpr std::size_t kChunkBytes = 4096;
constexpr std::size_t kBufferBytes = 512 * 1024;

const std::array<std::uint64_t, 2>& Key() {
  static const auto key = [] {
    std::array<std::uint64_t, 2> bytes{};
    // getrandom(2): up to 256 bytes are never cut short once the generator is seeded.
    while (getrandom(bytes.data(), sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) {
    }
    return bytes;
  }();
  return key;
}

std::expected<std::uint64_t, SysError> SizeOf(int fd) {
  struct stat status;
  if (fstat(fd, &status) < 0) return Failed("fstat");
  if (!S_ISBLK(status.st_mode)) return static_cast<std::uint64_t>(status.st_size);
  std::uint64_t size = 0;
  if (ioctl(fd, BLKGETSIZE64, &size) < 0) return Failed("BLKGETSIZE64");
  return size;
}

// Feeds what is not zero: most of what is read ahead is, and finding that out is much cheaper than hashing it.
void AddChunks(SipHash& hash, std::uint64_t offset, const std::byte* bytes, std::size_t size) {
  for (std::size_t at = 0; at < size; at += kChunkBytes) {
    std::array<std::uint64_t, kChunkBytes / 8> words{};
    std::memcpy(words.data(), bytes + at, std::min(kChunkBytes, size - at));
    std::uint64_t any = 0;
    for (const std::uint64_t word : words) any |= word;
    if (any == 0) continue;
    hash.Add(offset + at);
    for (const std::uint64_t word : words) hash.Add(word);
  }
}

std::expected<void, SysError> ReadWindow(int fd, const Window& window, SipHash& hash, std::vector<std::byte>& buffer) {
  for (std::uint64_t done = 0; done < window.size;) {
    const auto wanted = std::min<std::uint64_t>(buffer.size(), window.size - done);
    std::size_t filled = 0;
    while (filled < wanted) {
      const ssize_t size =
          pread(fd, buffer.data() + filled, wanted - filled, static_cast<off_t>(window.offset + done + filled));
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return Failed("pread");
      if (size == 0) return std::unexpected(SysError{"pread", EIO});  // the device shrank under us
      filled += static_cast<std::size_t>(size);
    }
    AddChunks(hash, window.offset + done, buffer.data(), filled);
    done += filled;
  }
  return {};
}

// cachestat(2), Linux 6.5; glibc does not have it yet.
CachedPages CountCached(int fd) {
  constexpr long kCachestat = 451;
  struct {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;  // to the end
  } range;
  struct {
    std::uint64_t cached, dirty, writeback, evicted, recently_evicted;
  } counts{};
  if (syscall(kCachestat, fd, &range, &counts, 0) != 0 || counts.evicted != 0) return std::nullopt;
  return counts.cached;
}

}  // namespace

std::expected<Opened, SysError> Run(const OpenTask& task) {
  // O_NONBLOCK: opening an optical drive must not wait for a medium.
  Descriptor descriptor(open(task.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (descriptor.get() < 0) return Failed("open");
  const auto size = SizeOf(descriptor.get());
  if (!size) return std::unexpected(size.error());
  // Nothing but what is asked for shall enter the page cache: that is what CountCached rests on.
  posix_fadvise(descriptor.get(), 0, 0, POSIX_FADV_RANDOM);

  SipHash hash(Key());
  hash.Add(*size);
  std::vector<std::byte> buffer(kBufferBytes);
  std::uint64_t pages = 0;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (const Window& window : task.windows) {
    if (const auto read = ReadWindow(descriptor.get(), window, hash, buffer); !read) {
      return std::unexpected(read.error());
    }
    pages += (window.size + page - 1) / page;
  }
  const Digest digest = hash.Finish();
  if (task.known == digest) descriptor = Descriptor();
  const CachedPages cached = descriptor.get() < 0 ? std::nullopt : CountCached(descriptor.get());
  return Opened{std::move(descriptor), *size, pages, digest, cached};
}

CachedPages Close(Descriptor descriptor) { return CountCached(descriptor.get()); }

}  // namespace nodecore::pages
