// What libblkid says about an open device: every signature, and its verdict, reached by the calls that `blkid -p` makes.
//
// libblkid keeps no state between probes: they may run on several threads. It reads the device: this may block.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/sys_error.h"
#include "probe/page_cache.h"

namespace nodecore::probe {

// Under libblkid's own names: TYPE, UUID, PTTYPE, …
using Values = std::vector<std::pair<std::string, std::string>>;

struct TableEntry {
  int index;
  std::string uuid;
  std::string type;
  std::string label;
  std::uint64_t offset_bytes;
  std::uint64_t size_bytes;
};

struct Judgement {
  unsigned sector_size;
  // Every signature, also those with a damaged checksum or a GPT without its protective MBR.
  std::vector<Values> signatures;
  // No values: nothing is recognised. Absent: several signatures contradict each other.
  std::optional<Values> verdict;
  // Of the partition table, when there is one.
  std::vector<TableEntry> entries;
};

// `part` is looked at as if it were a device of its own; a size of 0 stands for everything from its offset on.
std::expected<Judgement, SysError> Judge(int fd, Window part);

}  // namespace nodecore::probe
