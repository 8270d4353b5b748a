// Reads directories, one after the other: what a thread of a scan does.
//
// Owns: the arena and the entries that it fills.
// Threads: one. A directory is visited by one visitor at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cgroupfs/arena.h"
#include "cgroupfs/directory.h"
#include "cgroupfs/file_names.h"
#include "cgroupfs/scan.h"

namespace nodecore::cgroupfs {

// What all visitors of a scan have in common.
struct Round {
  int root_fd;
  // Of another filesystem (tests): neither link counts nor dead directories mean anything there.
  bool foreign;
  bool every_file;
  bool texts;
  // By number of a file: whether it is wanted. Numbers beyond its end came later and were not asked for by name.
  std::vector<bool> wanted;
  // By number of a file: whether it can only be written.
  std::vector<bool> write_only;
  std::vector<Column> columns;
  std::uint64_t number;
  std::atomic<std::uint32_t>* next_id;
  DescriptorBudget* budget;
};

class Visitor {
 public:
  Visitor(const Round& round, FileNames& names, std::uint32_t index, std::size_t room)
      : round_(round), names_(names), index_(index), arena_(room) {}

  enum class Outcome : std::uint8_t { kRead, kGone, kNoDescriptor };
  // Reads the directory's files; its children are up to date afterwards.
  Outcome Visit(Directory& directory);

  Arena& arena() noexcept { return arena_; }
  const std::vector<Entry>& entries() const noexcept { return entries_; }
  // Numbers of the directories that listings no longer found; each is reported once.
  std::vector<std::uint32_t> TakeGone() noexcept { return std::exchange(gone_, {}); }

 private:
  Outcome Open(Directory& directory, Descriptor& temporary);
  Outcome List(Directory& directory, int fd);
  Outcome ReadFiles(Directory& directory, int fd);
  std::int64_t Read(int directory_fd, File& file);
  void LookAtControllers(Directory& directory, int fd);
  bool Wanted(std::uint32_t number) const noexcept;
  bool Dead(int fd) const noexcept;
  void Keep(Directory& directory, std::uint32_t number, std::size_t offset, std::int64_t length);
  Outcome Refused(Directory& directory, int number);
  void SetFiles(Directory& directory, std::vector<FileName> names);
  void SetChildren(Directory& directory, std::vector<std::string> names);

  const Round& round_;
  NameCache names_;
  const std::uint32_t index_;
  Arena arena_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> gone_;
};

// Appends the numbers of the directory and all below it, as far as they were reported.
void AppendNumbers(const Directory& directory, std::vector<std::uint32_t>& numbers);

}  // namespace nodecore::cgroupfs
