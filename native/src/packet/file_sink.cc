#include "packet/file_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

namespace nodecore::packet {

namespace {

// A write costs the same for one byte and for the rest of a page; beyond this size nothing is gained.
constexpr std::size_t kBufferBytes = 1U << 18;
constexpr mode_t kOwnerOnly = 0600;  // packets hold what people sent each other

// A new file, or a device such as /dev/null, which nothing is lost in.
int OpenNew(const std::string& path) {
  struct stat facts;
  if (stat(path.c_str(), &facts) == 0 && S_ISCHR(facts.st_mode)) return open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwnerOnly);
}

// `-00042`: sorted by name is sorted by time.
std::string Number(std::uint32_t file) {
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "-%05u", file);
  return text.data();
}

}  // namespace

FileSink::FileSink(FileSinkOptions options)
    : options_(std::move(options)),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kBufferBytes + options_.snap_length + kPcapngRecordBytes + 3)) {}

std::expected<std::shared_ptr<FileSink>, SysError> FileSink::Open(FileSinkOptions options) {
  std::shared_ptr<FileSink> sink(new FileSink(std::move(options)));
  if (const auto opened = sink->Next(); !opened) return std::unexpected(opened.error());
  // A capture without a packet is a valid file, too, and whoever asked learns at once that it can't be written.
  if (const auto written = sink->Write(); !written) return std::unexpected(written.error());
  return sink;
}

std::expected<void, SysError> FileSink::Next() {
  std::string path = options_.stem + (Rotates() ? Number(files_) : "") + options_.suffix;
  Descriptor file(OpenNew(path));
  if (file.get() < 0) return Failed("open");
  file_ = std::move(file);
  path_ = std::move(path);
  files_ += 1;
  begun_ = Clock::now();
  kept_.push_back(path_);
  if (options_.keep_files != 0 && kept_.size() > options_.keep_files) {
    unlink(kept_.front().c_str());
    kept_.pop_front();
  }
  std::memcpy(buffer_.get(), options_.preamble.data(), options_.preamble.size());
  held_ = options_.preamble.size();
  file_bytes_ = held_;
  return {};
}

Taken FileSink::Take(Walk& walk, std::uint32_t interface) {
  return Limited() ? TakeSome(walk, interface) : TakeAll(walk, interface);
}

// Without a look at limits after every packet.
Taken FileSink::TakeAll(Walk& walk, std::uint32_t interface) {
  Packet packet;
  while (walk.left() > 0) {
    const std::size_t held = held_;
    const std::uint32_t before = walk.left();
    std::byte* out = buffer_.get() + held_;
    while (out < buffer_.get() + kBufferBytes && walk.Next(packet)) {
      out += WriteRecord(packet, options_.format, options_.snap_length, interface, out);
    }
    held_ = static_cast<std::size_t>(out - buffer_.get());
    Count(held_ - held, before - walk.left());
    if (held_ < kBufferBytes) break;
    if (const auto written = Write(); !written) return Fail(written.error());
  }
  return Taken::kAll;
}

Taken FileSink::TakeSome(Walk& walk, std::uint32_t interface) {
  Packet packet;
  while (walk.left() > 0) {
    if (options_.most_packets != 0 && total_packets_ == options_.most_packets) return Taken::kEnough;
    const Walk before = walk;
    walk.Next(packet);
    const std::size_t size = RecordBytes(packet, options_.format, options_.snap_length);
    if (options_.most_bytes != 0 && total_bytes_ + size > options_.most_bytes) {
      walk = before;
      return Taken::kEnough;
    }
    if (options_.file_bytes != 0 && file_bytes_ + size > options_.file_bytes &&
        file_bytes_ > options_.preamble.size()) {
      if (const auto written = Write(); !written) return Fail(written.error());
      if (const auto opened = Next(); !opened) return Fail(opened.error());
    }
    WriteRecord(packet, options_.format, options_.snap_length, interface, buffer_.get() + held_);
    held_ += size;
    Count(size, 1);
    if (held_ >= kBufferBytes) {
      if (const auto written = Write(); !written) return Fail(written.error());
    }
  }
  return Taken::kAll;
}

void FileSink::Count(std::size_t bytes, std::uint32_t packets) noexcept {
  file_bytes_ += bytes;
  total_bytes_ += bytes;
  total_packets_ += packets;
}

Taken FileSink::Flush() {
  if (const auto written = Write(); !written) return Fail(written.error());
  if (options_.file_seconds != 0 && Clock::now() - begun_ >= std::chrono::seconds(options_.file_seconds)) {
    if (const auto opened = Next(); !opened) return Fail(opened.error());
  }
  return options_.most_packets != 0 && total_packets_ == options_.most_packets ? Taken::kEnough : Taken::kAll;
}

Taken FileSink::Close() {
  const auto written = Write();
  file_ = Descriptor();
  return written ? Taken::kAll : Fail(written.error());
}

std::expected<void, SysError> FileSink::Write() {
  const std::byte* from = buffer_.get();
  while (held_ > 0) {
    const ssize_t written = write(file_.get(), from, held_);
    if (written < 0) {
      if (errno == EINTR) continue;
      const auto failed = Failed("write");
      CutToWholeRecords(static_cast<std::size_t>(from - buffer_.get()));
      return failed;
    }
    from += written;
    held_ -= static_cast<std::size_t>(written);
  }
  return {};
}

// A disk that ran full in the middle of a record must not leave half of one: readers would call the file damaged.
void FileSink::CutToWholeRecords(std::size_t written) noexcept {
  const std::size_t end = written + held_;
  const bool is_first = file_bytes_ == end;
  std::size_t whole = is_first ? options_.preamble.size() : 0;
  std::uint64_t lost = 0;
  for (std::size_t at = whole; at < end;) {
    const std::size_t size = SizeOfRecord(options_.format, buffer_.get() + at);
    at += size;
    if (at <= written) {
      whole = at;
    } else {
      lost += 1;
    }
  }
  total_packets_ -= lost;
  total_bytes_ -= end - std::max(whole, is_first ? options_.preamble.size() : 0);
  held_ = 0;
  // Best effort: the reason is told in any case.
  [[maybe_unused]] const int cut = ftruncate(file_.get(), static_cast<off_t>(file_bytes_ - (end - whole)));
}

}  // namespace nodecore::packet
