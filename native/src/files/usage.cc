#include "files/usage.h"

#include <dirent.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <chrono>
#include <cstring>
#include <utility>

#include "files/details.h"
#include "files/failures.h"
#include "files/wire.h"

namespace nodecore::files {

namespace {

// FileUsageBatch
constexpr std::uint32_t kRows = 1;
constexpr std::uint32_t kFailures = 2;

constexpr auto kPatience = std::chrono::milliseconds(200);

std::string Joined(const std::string& root, std::string_view path) {
  if (path.empty()) return root;
  std::string joined = root;
  if (!joined.ends_with('/')) joined.push_back('/');
  return joined.append(path);
}

bool IsOn(int directory, long magic) {
  struct statfs system;
  return fstatfs(directory, &system) == 0 && system.f_type == magic;
}

// What reading it would give, for those that have content of their own. Of /proc/kcore that is all addresses there could be.
std::uint64_t ApparentBytes(const Item& item) {
  if (item.type != DT_REG && item.type != DT_LNK) return 0;
  if (std::strcmp(item.name, "kcore") == 0 && IsOn(item.directory, PROC_SUPER_MAGIC)) return 0;
  return item.status.stx_size;
}

}  // namespace

std::expected<void, SysError> Usage::Fill(Piece& piece, const std::atomic<bool>& cancelled) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (std::size_t count = 1; piece.bytes.size() < kPieceBytes; ++count) {
    if (cancelled) return std::unexpected(SysError{"read", ECANCELED});
    if (!walk_) {
      if (root_ == request_.roots.size()) {
        if (seen_.full()) AddFailure(piece.bytes, kFailures, "", {"link", EOVERFLOW});
        piece.last = true;
        break;
      }
      Begin(piece);
      continue;
    }
    const Item* item = walk_->Next();
    if (item == nullptr) {
      Close(piece, 0);
      walk_.reset();
      ++root_;
    } else if (item->failed) {
      AddFailure(piece.bytes, kFailures, Joined(request_.roots[root_], item->path), item->error);
    } else {
      Add(piece, *item);
    }
    if (count % 64 == 0 && std::chrono::steady_clock::now() >= end && piece.bytes.size() > kHeadroom) break;
  }
  return {};
}

void Usage::Begin(Piece& piece) {
  const std::string& root = request_.roots[root_];
  auto walk = Walk::Open(root, {.status = true, .one_file_system = request_.one_file_system});
  if (walk) {
    walk_.emplace(std::move(*walk));
  } else {
    AddFailure(piece.bytes, kFailures, root, walk.error());
    ++root_;
  }
}

void Usage::Add(Piece& piece, const Item& item) {
  Close(piece, item.level);
  if (!IsCounted(item)) {
    walk_->Skip();
    return;
  }
  Sum sum;
  sum.level = item.level;
  sum.type = WireType(item.type);
  sum.disk = item.status.stx_blocks * 512;
  sum.apparent = ApparentBytes(item);
  sum.files = 1;
  const bool shown = item.level <= request_.depth;
  if (shown) sum.path = Joined(request_.roots[root_], item.path);
  open_.push_back(std::move(sum));
}

// Sums of this level and below it are complete.
void Usage::Close(Piece& piece, std::size_t level) {
  while (!open_.empty() && open_.back().level >= level) {
    const Sum sum = std::move(open_.back());
    open_.pop_back();
    if (!open_.empty()) {
      open_.back().disk += sum.disk;
      open_.back().apparent += sum.apparent;
      open_.back().files += sum.files;
    }
    Row(piece, sum);
  }
}

void Usage::Row(Piece& piece, const Sum& sum) {
  constexpr std::uint32_t kDirectory = 2;
  if (sum.level > request_.depth || !(request_.all || sum.level == 0 || sum.type == kDirectory)) return;
  const auto size = static_cast<std::int64_t>(request_.apparent ? sum.apparent : sum.disk);
  if (request_.threshold > 0 && size < request_.threshold) return;
  if (request_.threshold < 0 && size > -request_.threshold) return;
  std::string message;
  Wire wire(message);
  wire.Bytes(1, sum.path);
  wire.Number(2, sum.type);
  wire.Number(3, sum.disk);
  wire.Number(4, sum.apparent);
  wire.Number(5, sum.files);
  Wire(piece.bytes).Message(kRows, message);
}

// A file with several names takes its blocks once, and so does a directory that is below two roots.
bool Usage::IsCounted(const Item& item) {
  if (item.level == 0) root_status_ = item.status;
  if (request_.one_file_system && (item.status.stx_dev_major != root_status_.stx_dev_major ||
                                   item.status.stx_dev_minor != root_status_.stx_dev_minor))
    return false;
  const bool again = item.type == DT_DIR ? request_.roots.size() > 1 : item.status.stx_nlink > 1;
  return !again || seen_.Seen(item.status, true) == nullptr;
}

}  // namespace nodecore::files
