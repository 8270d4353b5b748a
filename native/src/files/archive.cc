#include "files/archive.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "files/details.h"
#include "files/failures.h"
#include "files/open.h"
#include "files/wire.h"

namespace nodecore::files {

namespace {

// CopyReport
constexpr std::uint32_t kFailures = 5;

// Those that come after are counted only.
constexpr std::uint64_t kMostFailures = 1000;

// Files of the kernel do not know how long they are until they were read: what says that it is small is read before its header
// is written. More than this nobody holds in memory.
constexpr std::uint64_t kSmall = 64 * 1024;
constexpr std::size_t kMostHeld = 1024 * 1024;

// Up to `room` bytes; fewer at the end of the file.
std::expected<void, SysError> ReadInto(std::string& out, const Descriptor& file, std::size_t room) {
  while (room > 0) {
    const std::size_t begin = out.size();
    const std::size_t wanted = std::min(room, kSmall);
    out.resize(begin + wanted);
    ssize_t size;
    do {
      size = read(file.get(), out.data() + begin, wanted);
    } while (size < 0 && errno == EINTR);
    const int number = errno;
    out.resize(begin + static_cast<std::size_t>(std::max<ssize_t>(0, size)));
    if (size < 0) return std::unexpected(SysError{"read", number});
    if (size == 0) return {};
    room -= static_cast<std::size_t>(size);
  }
  return {};
}

TarEntry EntryOf(const Item& item, std::string path) {
  const struct statx& status = item.status;
  TarEntry entry;
  entry.path = std::move(path);
  entry.mode = status.stx_mode;
  entry.uid = status.stx_uid;
  entry.gid = status.stx_gid;
  entry.seconds = status.stx_mtime.tv_sec;
  entry.nanoseconds = status.stx_mtime.tv_nsec;
  entry.major = status.stx_rdev_major;
  entry.minor = status.stx_rdev_minor;
  for (const std::string& name : AttributeNames(item)) entry.attributes.emplace_back(name, Attribute(item, name));
  return entry;
}

}  // namespace

std::expected<void, SysError> Archive::Fill(Piece& piece, const std::atomic<bool>& cancelled) {
  if (!walk_) {
    if (auto begun = Begin(); !begun) return begun;
  }
  while (piece.bytes.size() < kPieceBytes) {
    if (cancelled) return std::unexpected(SysError{"read", ECANCELED});
    if (file_.get() >= 0) {
      AddContent(piece);
      continue;
    }
    const Item* item = walk_->Next();
    if (item == nullptr) {
      piece.bytes.append(2 * kTarBlock, '\0');
      piece.report = Report();
      piece.last = true;
      break;
    }
    if (item->failed) {
      Fail(item->path, item->error);
    } else {
      Add(piece, *item);
    }
  }
  return {};
}

std::expected<void, SysError> Archive::Begin() {
  auto walk = Walk::Open(request_.root, {.status = true, .one_file_system = request_.one_file_system});
  if (!walk) return std::unexpected(walk.error());
  walk_.emplace(std::move(*walk));
  return {};
}

void Archive::Add(Piece& piece, const Item& item) {
  const bool isRoot = item.level == 0;
  std::string path(item.path);
  if (isRoot && item.type != DT_DIR) path = request_.root.substr(request_.root.rfind('/') + 1);
  if (item.type == DT_SOCK) {
    ++sockets_;
    return;
  }
  TarEntry entry = EntryOf(item, std::move(path));
  switch (item.type) {
    case DT_DIR:
      entry.type = '5';
      entry.path += isRoot ? "./" : "/";
      break;
    case DT_LNK:
      entry.type = '2';
      entry.target = TargetOf(item);
      break;
    case DT_CHR: entry.type = '3'; break;
    case DT_BLK: entry.type = '4'; break;
    case DT_FIFO: entry.type = '6'; break;
    default: AddFile(piece, item, std::move(entry)); return;
  }
  ++files_;
  AddTarHeader(piece.bytes, entry);
}

void Archive::AddFile(Piece& piece, const Item& item, TarEntry entry) {
  if (item.status.stx_nlink > 1) {
    if (const std::string* first = names_.Seen(item.status, entry.path)) {
      entry.type = '1';
      entry.target = *first;
      entry.attributes.clear();
      ++files_;
      AddTarHeader(piece.bytes, entry);
      return;
    }
  }
  std::expected<Descriptor, SysError> file = std::unexpected(SysError{"open", EIO});
  if (item.level == 0) {
    file = OpenContent(walk_->place());
  } else {
    auto place = OpenPlaceAt(item.directory, item.name);
    file = place ? OpenContent(*place) : std::unexpected(place.error());
  }
  if (!file) {
    names_.Forget(item.status);
    Fail(entry.path, file.error());
    return;
  }
  entry.size = item.status.stx_size;
  if (entry.size <= kSmall) {
    std::string content;
    const auto whole = ReadInto(content, *file, kMostHeld + 1);
    if (!whole || content.size() > kMostHeld) {
      names_.Forget(item.status);
      Fail(entry.path, whole ? SysError{"read", EFBIG} : whole.error());
      return;
    }
    entry.size = content.size();
    AddTarHeader(piece.bytes, entry);
    piece.bytes.append(content);
    AddTarPadding(piece.bytes, entry.size);
    bytes_ += entry.size;
  } else {
    AddTarHeader(piece.bytes, entry);
    file_ = std::move(*file);
    path_ = entry.path;
    size_ = left_ = entry.size;
  }
  ++files_;
}

// The header has promised so many bytes: of a file that has shrunk, or can't be read, the rest is zeros, and that is told.
void Archive::AddContent(Piece& piece) {
  const std::size_t before = piece.bytes.size();
  const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(left_, kPieceBytes + kTarBlock - before));
  const auto read = ReadInto(piece.bytes, file_, room);
  const std::size_t size = piece.bytes.size() - before;
  if (!path_.empty() && (!read || size < room)) {
    Fail(path_, read ? SysError{"read", ENODATA} : read.error());
    path_.clear();
  }
  piece.bytes.append(room - size, '\0');
  left_ -= room;
  bytes_ += room;
  if (left_ > 0) return;
  AddTarPadding(piece.bytes, size_);
  file_ = Descriptor();
}

void Archive::Fail(std::string_view path, SysError error) {
  if (++failed_ <= kMostFailures) AddFailure(failures_, kFailures, path, error);
}

std::string Archive::Report() {
  std::string report;
  Wire wire(report);
  wire.Number(1, files_);
  wire.Number(2, bytes_);
  wire.Number(3, sockets_);
  wire.Number(4, failed_);
  return report.append(failures_);
}

}  // namespace nodecore::files
