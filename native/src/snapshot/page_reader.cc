#include "snapshot/page_reader.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace nodecore::snapshot {

namespace {

// One value is a page; etcd takes 1.5 MiB, and gRPC nothing near this.
constexpr std::uint64_t kMostPageBytes = 256U << 20;

std::expected<void, Defect> ReadAt(int fd, std::uint64_t at, std::span<std::byte> to, std::uint64_t page) {
  while (!to.empty()) {
    const ssize_t got = pread(fd, to.data(), to.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::unexpected(Defect{DefectKind::kUnreadable, page, static_cast<std::uint64_t>(errno)});
    if (got == 0) return std::unexpected(Defect{DefectKind::kTruncated, page, at + to.size()});
    at += static_cast<std::uint64_t>(got);
    to = to.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

}  // namespace

std::expected<std::vector<std::byte>, Defect> ReadPage(const PageSource& source, const Meta& meta, std::uint64_t page) {
  if (source.fd < 0) return std::unexpected(Defect{DefectKind::kUnseen, page});
  std::array<std::byte, kHeaderBytes> first;
  const std::uint64_t at = page * meta.page_size;
  if (const auto read = ReadAt(source.fd, at, first, page); !read) return std::unexpected(read.error());
  const PageHeader header = PageHeader::At(first.data());
  if (header.id != page) return std::unexpected(Defect{DefectKind::kPageNumber, page, header.id});
  if (header.overflow >= meta.pages - page) {
    return std::unexpected(Defect{DefectKind::kPageRange, page, page + header.overflow});
  }
  const std::uint64_t size = (std::uint64_t{header.overflow} + 1) * meta.page_size;
  if (size > kMostPageBytes) return std::unexpected(Defect{DefectKind::kTooLarge, page, size});
  std::vector<std::byte> bytes(size);
  if (const auto read = ReadAt(source.fd, at, bytes, page); !read) return std::unexpected(read.error());
  return bytes;
}

}  // namespace nodecore::snapshot
