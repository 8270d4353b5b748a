#include "files/content.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "files/open.h"

namespace nodecore::files {

namespace {

constexpr auto kLook = std::chrono::milliseconds(100);

}  // namespace

std::expected<void, SysError> Content::Fill(Piece& piece, const std::atomic<bool>& cancelled) {
  if (file_.get() < 0) {
    if (auto opened = Open(); !opened) return opened;
  }
  while (piece.bytes.size() < kHeadroom + kPieceBytes) {
    if (cancelled) return std::unexpected(SysError{"read", ECANCELED});
    if (request_.length == 0) {
      piece.last = true;
      break;
    }
    const auto size = Read(piece);
    if (!size) return std::unexpected(size.error());
    if (*size > 0) continue;
    if (!request_.follow) {
      piece.last = true;
      break;
    }
    if (next_) {
      file_ = std::exchange(next_, std::nullopt).value();
      offset_ = 0;
    } else if (piece.bytes.size() > kHeadroom) {
      break;
    } else {
      std::this_thread::sleep_for(kLook);
      LookForAnother();
    }
  }
  return {};
}

std::expected<void, SysError> Content::Open() {
  const auto place = OpenPlace(request_.path);
  if (!place) return std::unexpected(place.error());
  auto file = OpenContent(*place);
  if (!file) return std::unexpected(file.error());
  struct stat status;
  if (fstat(file->get(), &status) != 0) return Failed("stat");
  file_ = std::move(*file);
  offset_ = request_.offset >= 0 ? request_.offset : std::max<std::int64_t>(0, status.st_size + request_.offset);
  return {};
}

// 0 at the end of the file.
std::expected<std::size_t, SysError> Content::Read(Piece& piece) {
  const std::size_t begin = piece.bytes.size();
  std::size_t room = kHeadroom + kPieceBytes - begin;
  if (request_.length > 0) room = std::min(room, static_cast<std::size_t>(request_.length));
  piece.bytes.resize(begin + room);
  ssize_t size;
  do {
    size = pread(file_.get(), piece.bytes.data() + begin, room, offset_);
  } while (size < 0 && errno == EINTR);
  const int number = errno;
  piece.bytes.resize(begin + static_cast<std::size_t>(std::max<ssize_t>(0, size)));
  if (size < 0) return std::unexpected(SysError{"read", number});
  offset_ += size;
  if (request_.length > 0) request_.length -= size;
  return static_cast<std::size_t>(size);
}

// While the name has no file there is nothing to do but wait: it comes, or the caller goes.
void Content::LookForAnother() {
  struct stat now;
  if (fstat(file_.get(), &now) != 0) return;
  has_size_ = has_size_ || now.st_size > 0;
  if (has_size_ && now.st_size < offset_) offset_ = 0;
  const auto place = OpenPlace(request_.path);
  struct stat named;
  if (!place || fstat(place->get(), &named) != 0) return;
  if (named.st_dev == now.st_dev && named.st_ino == now.st_ino) return;
  if (auto file = OpenContent(*place)) next_ = std::move(*file);
}

}  // namespace nodecore::files
