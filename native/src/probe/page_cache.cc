#include "probe/page_cache.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "probe/siphash.h"

namespace nodecore::probe {

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

}  // namespace

void ReadOnlyWhatIsAsked(int fd) noexcept { posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM); }

void AskFor(int fd, const std::vector<Window>& windows) noexcept {
  // The kernel cuts a single request to the device's read-ahead size, 128 KiB unless somebody changed it.
  constexpr std::uint64_t kStep = 128 * 1024;
  for (const Window& window : windows) {
    for (std::uint64_t at = 0; at < window.size; at += kStep) {
      posix_fadvise(fd, static_cast<off_t>(window.offset + at),
                    static_cast<off_t>(std::min(kStep, window.size - at)), POSIX_FADV_WILLNEED);
    }
  }
}

std::expected<void, SysError> ReadAhead(int fd, const std::vector<Window>& windows) {
  AskFor(fd, windows);
  for (const Window& window : windows) {
    std::byte last;
    if (const auto read = ReadFully(fd, &last, window.offset + window.size - 1, 1); !read) return read;
  }
  return {};
}

std::expected<Digest, SysError> DigestWindows(int fd, std::uint64_t size_bytes, const std::vector<Window>& windows) {
  const Buffer buffer;
  SipHash hash(Key());
  hash.Add(size_bytes);
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

Written FindWritten(int fd, const std::vector<Window>& windows) {
  const Buffer buffer;
  Written written;
  AskFor(fd, windows);
  for (const Window& window : windows) {
    for (std::uint64_t done = 0; done < window.size;) {
      const auto wanted = std::min<std::uint64_t>(kBufferBytes, window.size - done);
      if (const auto read = ReadFully(fd, buffer.data(), window.offset + done, wanted); !read) {
        written.unreadable = {window.offset, read.error().number};
        return written;
      }
      const std::span<const std::byte> bytes(buffer.data(), wanted);
      const auto found = std::ranges::find_if(bytes, [](std::byte byte) { return byte != std::byte{0}; });
      if (found != bytes.end()) {
        written.places.push_back(window.offset + done + static_cast<std::uint64_t>(found - bytes.begin()));
        break;
      }
      done += wanted;
    }
    if (written.places.size() == Written::kMostPlaces) return written;
  }
  return written;
}

std::uint64_t PagesIn(const std::vector<Window>& windows) noexcept {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::uint64_t pages = 0;
  for (const Window& window : windows) pages += (window.size + page - 1) / page;
  return pages;
}

// cachestat(2), Linux 6.5; glibc does not have it yet.
CachedPages CountCached(int fd) noexcept {
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

}  // namespace nodecore::probe
