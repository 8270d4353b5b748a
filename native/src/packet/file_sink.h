// Packets into a file, or a ring of files, by plain writes of whole buffers.
//
// Owns: the open file and its buffer. Called by the capturing thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "core/descriptor.h"
#include "packet/record.h"
#include "packet/sink.h"

namespace nodecore::packet {

struct FileSinkOptions {
  // Without a change of files: the file. With one: `stem-00000.suffix` and so on.
  std::string stem;
  std::string suffix;
  Format format = Format::kPcap;
  std::uint32_t snap_length = 0;
  // What every file begins with.
  std::vector<std::byte> preamble;
  // What the last file ends with, also when the disk is full: whole blocks, which the owner fills in later.
  std::vector<std::byte> epilogue;
  // Interfaces that packets come from.
  std::uint32_t interfaces = 1;
  // 0: no limit. The whole capture's.
  std::uint64_t most_packets = 0;
  std::uint64_t most_bytes = 0;
  // 0: one file.
  std::uint64_t file_bytes = 0;
  std::uint32_t file_seconds = 0;
  // The files of the ring that stay; 0: all.
  std::uint32_t keep_files = 0;
};

class FileSink final : public Sink {
 public:
  // Creates the first file, which must not exist (EEXIST), for its owner only.
  static std::expected<std::shared_ptr<FileSink>, SysError> Open(FileSinkOptions options);

  Taken Take(Walk& walk, std::uint32_t interface) override;
  Taken Flush() override;
  Taken Close() override;

  // The present file's, once no thread captures any more.
  const std::string& path() const noexcept { return path_; }
  // What the files hold of packets, in whole records.
  std::uint64_t packets() const noexcept { return total_packets_; }
  std::uint64_t bytes() const noexcept { return total_bytes_; }
  // The file ends with the epilogue: not where it is a device, or where the disk gave no room at all.
  bool has_epilogue() const noexcept { return has_epilogue_; }
  const std::vector<Kept>& kept() const noexcept override { return kept_packets_; }

 private:
  using Clock = std::chrono::steady_clock;
  // Records in the buffer that came from one interface, one after the other.
  struct Run {
    std::uint32_t interface;
    std::uint32_t packets;
  };

  explicit FileSink(FileSinkOptions options);
  bool Rotates() const noexcept { return options_.file_bytes != 0 || options_.file_seconds != 0; }
  bool Limited() const noexcept {
    return options_.most_packets != 0 || options_.most_bytes != 0 || options_.file_bytes != 0;
  }
  Taken TakeAll(Walk& walk, std::uint32_t interface);
  Taken TakeSome(Walk& walk, std::uint32_t interface);
  void Count(std::size_t bytes, std::uint32_t packets, std::uint32_t interface);
  void Settle();
  std::expected<void, SysError> Next();
  std::expected<void, SysError> Write();
  void CutToWholeRecords(std::size_t written) noexcept;
  void Lose(std::uint32_t interface, std::size_t bytes) noexcept;
  bool Abolish() noexcept;
  void MakeRoom(std::uint64_t on_disk) noexcept;

  const FileSinkOptions options_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t held_ = 0;
  // Of what is in the buffer.
  std::vector<Run> runs_;
  std::vector<Kept> kept_packets_;
  Descriptor file_;
  // A device is written to as it is.
  bool is_file_ = false;
  bool has_epilogue_ = false;
  std::string path_;
  std::deque<std::string> kept_;
  std::uint32_t files_ = 0;
  std::uint64_t file_bytes_ = 0;
  std::uint64_t total_bytes_ = 0;
  std::uint64_t total_packets_ = 0;
  Clock::time_point begun_;
};

}  // namespace nodecore::packet
