#include "pages/page_task.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>

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

// Memory that direct I/O accepts: open(2) wants buffers aligned to the logical block size, which is a page at most.
class Buffer {
 public:
  Buffer() : bytes_(static_cast<std::byte*>(std::aligned_alloc(kChunkBytes, kBufferBytes)), &std::free) {}
  std::byte* data() const noexcept { return bytes_.get(); }

 private:
  std::unique_ptr<std::byte, decltype(&std::free)> bytes_;
};

// Feeds what is not zero: most of what is read is, and finding that out is much cheaper than hashing it.
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

std::expected<void, SysError> ReadFully(int fd, std::byte* bytes, std::uint64_t offset, std::uint64_t wanted) {
  for (std::uint64_t filled = 0; filled < wanted;) {
    const ssize_t size = pread(fd, bytes + filled, wanted - filled, static_cast<off_t>(offset + filled));
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return Failed("pread");
    if (size == 0) return std::unexpected(SysError{"pread", EIO});  // the device shrank under us
    filled += static_cast<std::uint64_t>(size);
  }
  return {};
}

std::expected<Digest, SysError> DigestWindows(int fd, std::uint64_t size, const std::vector<Window>& windows) {
  const Buffer buffer;
  SipHash hash(Key());
  hash.Add(size);
  for (const Window& window : windows) {
    for (std::uint64_t done = 0; done < window.size;) {
      const auto wanted = std::min<std::uint64_t>(kBufferBytes, window.size - done);
      if (const auto read = ReadFully(fd, buffer.data(), window.offset + done, wanted); !read) {
        return std::unexpected(read.error());
      }
      AddChunks(hash, window.offset + done, buffer.data(), wanted);
      done += wanted;
    }
  }
  return hash.Finish();
}

// Whether the device still holds the known bytes. Read past the page cache: that is one copy less, and sees what another
// descriptor wrote. When direct I/O is not to be had, or anything else goes wrong, the answer is no.
bool Holds(const Digest& known, const OpenTask& task) {
  const Descriptor direct(open(task.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_DIRECT));
  if (direct.get() < 0) return false;
  const auto size = SizeOf(direct.get());
  if (!size) return false;
  const auto digest = DigestWindows(direct.get(), *size, task.windows);
  return digest && *digest == known;
}

// Starts reading all windows at once, then waits for the end of each.
std::expected<void, SysError> ReadAhead(int fd, const std::vector<Window>& windows) {
  // The kernel cuts a single request to the device's read-ahead size, 128 KiB unless somebody changed it.
  constexpr std::uint64_t kStep = 128 * 1024;
  for (const Window& window : windows) {
    for (std::uint64_t at = 0; at < window.size; at += kStep) {
      posix_fadvise(fd, static_cast<off_t>(window.offset + at),
                    static_cast<off_t>(std::min(kStep, window.size - at)), POSIX_FADV_WILLNEED);
    }
  }
  for (const Window& window : windows) {
    std::byte last;
    if (const auto read = ReadFully(fd, &last, window.offset + window.size - 1, 1); !read) {
      return std::unexpected(read.error());
    }
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
  std::uint64_t pages = 0;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (const Window& window : task.windows) pages += (window.size + page - 1) / page;
  if (task.known && Holds(*task.known, task)) return Opened{Descriptor(), 0, pages, *task.known, std::nullopt};

  // O_NONBLOCK: opening an optical drive must not wait for a medium.
  Descriptor descriptor(open(task.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (descriptor.get() < 0) return Failed("open");
  const auto size = SizeOf(descriptor.get());
  if (!size) return std::unexpected(size.error());
  // Nothing but what is asked for shall enter the page cache: that is what CountCached rests on.
  posix_fadvise(descriptor.get(), 0, 0, POSIX_FADV_RANDOM);
  if (const auto read = ReadAhead(descriptor.get(), task.windows); !read) return std::unexpected(read.error());
  if (!task.digest) return Opened{std::move(descriptor), *size, pages, {}, std::nullopt};
  const auto digest = DigestWindows(descriptor.get(), *size, task.windows);
  if (!digest) return std::unexpected(digest.error());
  const CachedPages cached = CountCached(descriptor.get());
  return Opened{std::move(descriptor), *size, pages, *digest, cached};
}

CachedPages Close(Descriptor descriptor) { return CountCached(descriptor.get()); }

}  // namespace nodecore::pages
