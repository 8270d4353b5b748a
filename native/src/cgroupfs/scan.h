// What one scan of a tree asks for, and what it found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cgroupfs/arena.h"
#include "cgroupfs/column.h"

namespace nodecore::cgroupfs {

struct Request {
  // Every control file that can be read; `files` is empty then.
  bool every_file = false;
  std::vector<std::string> files;
  // `file` is an index into `files`.
  std::vector<Column> columns;
  // Whether the texts are wanted, or only the columns.
  bool texts = true;
  // The most descriptors to keep, if that is less than the limit allows.
  std::uint64_t most_held = UINT64_MAX;
};

// A directory that earlier scans did not have. Its number is never used again.
struct Appeared {
  std::uint32_t id;
  std::uint32_t parent;
  std::string name;
};

struct Entry {
  std::uint32_t file;
  std::uint32_t arena;
  std::uint32_t offset;
  // Bytes, or a negative errno.
  std::int32_t length;
};

struct Scan {
  // By the numbers that entries use.
  std::vector<std::string> file_names;
  // Parents before children. The root has number 0 and itself for a parent.
  std::vector<Appeared> appeared;
  std::vector<std::uint32_t> gone;
  // Every directory, parents before children, siblings by name.
  std::vector<std::uint32_t> order;
  // In that order: CLOCK_MONOTONIC in ns right before the directory's first file was read.
  std::vector<std::uint64_t> stamps;
  // In that order, with one more at the end: where a directory's entries begin.
  std::vector<std::uint32_t> starts;
  std::vector<Entry> entries;
  std::vector<Arena> arenas;
  // By column and, within it, in that order.
  std::vector<std::vector<std::uint64_t>> values;
  std::vector<std::vector<std::uint8_t>> states;
  std::uint32_t held = 0;
  std::uint32_t limit = 0;
};

}  // namespace nodecore::cgroupfs
