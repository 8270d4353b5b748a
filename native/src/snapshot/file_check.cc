#include "snapshot/file_check.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "core/descriptor.h"
#include "core/thread.h"
#include "snapshot/hash_lane.h"

namespace nodecore::snapshot {

namespace {

constexpr std::uint64_t kBytesPerReport = 16U << 20;

}  // namespace

struct FileCheck::State {
  std::string path;
  Proof proof;
  Descriptor event;
  std::atomic<std::uint64_t> checked = 0;
  std::atomic<std::uint64_t> size = 0;
  std::atomic<bool> abandoned = false;
  std::mutex mutex;
  std::optional<Result> result;

  Result Run();
  // The lane: where it is hashed; nullptr when it is not.
  std::expected<void, SysError> Read(int file, Check& check, HashLane* lane);
};

std::expected<FileCheck, SysError> FileCheck::Open(std::string path, Proof proof) {
  auto state = std::make_shared<State>();
  state->path = std::move(path);
  state->proof = proof;
  state->event = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (state->event.get() < 0) return Failed("eventfd");
  const bool spawned = SpawnDetached([state] {
    GiveWay();
    Result result = state->Run();
    const std::lock_guard lock(state->mutex);
    state->result = std::move(result);
    eventfd_write(state->event.get(), 1);
  });
  if (!spawned) return std::unexpected(SysError{"pthread_create", EAGAIN});
  return FileCheck(std::move(state));
}

FileCheck::~FileCheck() {
  if (state_ != nullptr) Abandon();
}

void FileCheck::Abandon() { state_->abandoned = true; }

void FileCheck::Acknowledge() {
  eventfd_t ignored;
  eventfd_read(state_->event.get(), &ignored);  // EAGAIN when nothing happened since the last call
}

std::optional<Result> FileCheck::Look() {
  const std::lock_guard lock(state_->mutex);
  return state_->result;
}

std::uint64_t FileCheck::checked_bytes() const noexcept { return state_->checked; }
std::uint64_t FileCheck::file_bytes() const noexcept { return state_->size; }
int FileCheck::fd() const noexcept { return state_->event.get(); }

Result FileCheck::State::Run() {
  const auto failed = [](const char* call) { return Result{.verdict = {}, .failure = SysError{call, errno}}; };
  auto check = Check::Begin(proof);
  if (!check) return {.verdict = {}, .failure = check.error()};
  // Not to wait for the other end of a pipe that somebody put there.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return failed("open");
  struct stat facts;
  if (fstat(file.get(), &facts) != 0) return failed("fstat");
  if (S_ISDIR(facts.st_mode)) return {.verdict = {}, .failure = SysError{"open", EISDIR}};
  size = static_cast<std::uint64_t>(facts.st_size);
  posix_fadvise(file.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
  std::unique_ptr<HashLane> lane;
  if (proof == Proof::kDigest) {
    auto opened = HashLane::Open(*check);
    if (!opened) return {.verdict = {}, .failure = opened.error()};
    lane = std::move(*opened);
  }
  if (const auto read = Read(file.get(), *check, lane.get()); !read) return {.verdict = {}, .failure = read.error()};
  lane.reset();
  if (abandoned) return {.verdict = {}, .failure = {}, .abandoned = true};
  return {.verdict = check->Finish(file.get()), .failure = {}};
}

// To the end, or until nobody wants it any more.
std::expected<void, SysError> FileCheck::State::Read(int file, Check& check, HashLane* lane) {
  std::uint64_t reported = 0;
  std::vector<std::byte> block(lane == nullptr ? HashLane::kBlockBytes : 0);
  const auto next = [&] { return lane == nullptr ? std::span(block) : lane->Next(); };
  std::span<std::byte> room = next();
  while (!abandoned) {
    const ssize_t got = read(file, room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Failed("read");
    if (got == 0) break;
    const Bytes bytes = room.first(static_cast<std::size_t>(got));
    if (lane != nullptr) lane->Push(bytes.size());
    check.Examine(bytes);
    room = next();
    checked += bytes.size();
    if (checked - reported < kBytesPerReport) continue;
    reported = checked;
    eventfd_write(event.get(), 1);
  }
  return {};
}

}  // namespace nodecore::snapshot
