#include "packet/file_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <span>
#include <utility>

namespace nodecore::packet {

namespace {

// A write costs the same for one byte and for the rest of a page; beyond this size nothing is gained.
constexpr std::size_t kBufferBytes = 1U << 18;
constexpr mode_t kOwnerOnly = 0600;  // packets hold what people sent each other

bool IsDevice(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && S_ISCHR(facts.st_mode);
}

// A new file, or a device such as /dev/null, which nothing is lost in. A file is read again when its disk is full.
int OpenNew(const std::string& path, bool is_device) {
  if (is_device) return open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwnerOnly);
}

// A number of a pcapng block, which is little-endian as we are; 0 where it can't be read.
std::uint32_t ReadWord(int fd, std::uint64_t at) noexcept {
  std::uint32_t word = 0;
  return pread(fd, &word, sizeof word, static_cast<off_t>(at)) == sizeof word ? word : 0;
}

bool WriteAt(int fd, std::span<const std::byte> bytes, std::uint64_t at) noexcept {
  return pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(at)) == static_cast<ssize_t>(bytes.size());
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
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kBufferBytes + options_.snap_length + kPcapngRecordBytes + 3 +
                                                          options_.epilogue.size())),
      kept_packets_(options_.interfaces) {}

std::expected<std::shared_ptr<FileSink>, SysError> FileSink::Open(FileSinkOptions options) {
  std::shared_ptr<FileSink> sink(new FileSink(std::move(options)));
  if (const auto opened = sink->Next(); !opened) return std::unexpected(opened.error());
  // A capture without a packet is a valid file, too, and the caller learns at once that it can't be written.
  if (const auto written = sink->Write(); !written) return std::unexpected(written.error());
  return sink;
}

std::expected<void, SysError> FileSink::Next() {
  std::string path = options_.stem + (Rotates() ? Number(files_) : "") + options_.suffix;
  const bool is_device = IsDevice(path);
  Descriptor file(OpenNew(path, is_device));
  if (file.get() < 0) return Failed("open");
  is_file_ = !is_device;
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
    Count(held_ - held, before - walk.left(), interface);
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
      const auto written = Write();
      const auto opened = written ? Next() : written;
      if (!opened) {
        walk = before;  // still in the ring: not taken, and not lost by us
        return Fail(opened.error());
      }
    }
    WriteRecord(packet, options_.format, options_.snap_length, interface, buffer_.get() + held_);
    held_ += size;
    Count(size, 1, interface);
    if (held_ >= kBufferBytes) {
      if (const auto written = Write(); !written) return Fail(written.error());
    }
  }
  return Taken::kAll;
}

void FileSink::Count(std::size_t bytes, std::uint32_t packets, std::uint32_t interface) {
  file_bytes_ += bytes;
  total_bytes_ += bytes;
  total_packets_ += packets;
  if (!runs_.empty() && runs_.back().interface == interface) {
    runs_.back().packets += packets;
  } else {
    runs_.push_back({interface, packets});
  }
}

Taken FileSink::Flush() {
  if (const auto written = Write(); !written) return Fail(written.error());
  if (options_.file_seconds != 0 && Clock::now() - begun_ >= std::chrono::seconds(options_.file_seconds)) {
    if (const auto opened = Next(); !opened) return Fail(opened.error());
  }
  return options_.most_packets != 0 && total_packets_ == options_.most_packets ? Taken::kEnough : Taken::kAll;
}

Taken FileSink::Close() {
  if (!failure() && is_file_ && !options_.epilogue.empty()) {
    std::memcpy(buffer_.get() + held_, options_.epilogue.data(), options_.epilogue.size());
    held_ += options_.epilogue.size();
    file_bytes_ += options_.epilogue.size();
    has_epilogue_ = true;
  }
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
  Settle();
  return {};
}

// The buffer is in the file.
void FileSink::Settle() {
  for (const Run& run : runs_) kept_packets_[run.interface].written += run.packets;
  runs_.clear();
}

void FileSink::Lose(std::uint32_t interface, std::size_t bytes) noexcept {
  kept_packets_[interface].lost += 1;
  total_packets_ -= 1;
  total_bytes_ -= bytes;
}

// A disk that ran full in the middle of a record must not leave half of one: readers would call the file damaged.
void FileSink::CutToWholeRecords(std::size_t written) noexcept {
  const std::size_t tail = std::exchange(has_epilogue_, false) ? options_.epilogue.size() : 0;
  const std::size_t end = written + held_ - tail;
  const std::uint64_t buffer_at = file_bytes_ - end - tail;
  const bool is_first = buffer_at == 0;
  std::size_t at = is_first ? options_.preamble.size() : 0;
  std::size_t whole = at;
  for (const Run& run : runs_) {
    for (std::uint32_t left = run.packets; left > 0; --left) {
      const std::size_t size = SizeOfRecord(options_.format, buffer_.get() + at);
      at += size;
      if (at <= written) {
        whole = at;
        kept_packets_[run.interface].written += 1;
      } else {
        Lose(run.interface, size);
      }
    }
  }
  runs_.clear();
  held_ = 0;
  if (!is_file_ || (is_first && written < options_.preamble.size() && Abolish())) return;
  file_bytes_ = buffer_at + whole;
  if (!options_.epilogue.empty() && file_bytes_ >= options_.preamble.size()) MakeRoom(buffer_at + written);
  // Best effort: the reason is reported in any case.
  const std::uint64_t size = file_bytes_ + (has_epilogue_ ? options_.epilogue.size() : 0);
  [[maybe_unused]] const int cut = ftruncate(file_.get(), static_cast<off_t>(size));
}

// A file that has not even its own header is none: the one before it is the last.
bool FileSink::Abolish() noexcept {
  unlink(path_.c_str());
  kept_.pop_back();
  if (!kept_.empty()) path_ = kept_.back();
  return true;
}

// The disk has no room for the epilogue: it takes that of the last packets, which is ours already. Blocks of pcapng end
// with their length, so they can be found from behind.
void FileSink::MakeRoom(std::uint64_t on_disk) noexcept {
  constexpr std::uint64_t kInterfaceAt = 8;
  constexpr std::uint64_t kLengthBytes = 4;
  const std::uint64_t first = options_.preamble.size();
  has_epilogue_ = WriteAt(file_.get(), options_.epilogue, file_bytes_);
  if (has_epilogue_) return;
  while (file_bytes_ > first && file_bytes_ + options_.epilogue.size() > on_disk) {
    const std::uint32_t size = ReadWord(file_.get(), file_bytes_ - kLengthBytes);
    if (size < kPcapngRecordBytes || size > file_bytes_ - first) return;
    const std::uint32_t interface = ReadWord(file_.get(), file_bytes_ - size + kInterfaceAt);
    if (interface >= kept_packets_.size()) return;
    kept_packets_[interface].written -= 1;
    Lose(interface, size);
    file_bytes_ -= size;
  }
  has_epilogue_ = WriteAt(file_.get(), options_.epilogue, file_bytes_);
}

}  // namespace nodecore::packet
