// One look at a device, from opening to closing it.
//
// It blocks for as long as the device likes.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "core/sys_error.h"
#include "probe/blkid_judge.h"
#include "probe/page_cache.h"

namespace nodecore::probe {

struct Task {
  std::string path;
  // Read ahead, because libblkid would read them one by one, and cold: the last close of a block device drops its cache.
  std::vector<Window> windows;
  // The device is an optical drive, which may have no medium.
  bool optical = false;
  // Where libblkid shall look, as if this were a device of its own; the whole device when absent.
  std::optional<Window> part;
  // Nobody is asked: the windows are read, and what is not zero in them is the result.
  bool find_written = false;
  // Whether the windows are digested, so that the result can be known the next time.
  bool digest = false;
  // When the windows still hold these bytes, libblkid is not asked again.
  std::optional<Digest> known;
};

struct Result {
  enum class Outcome { kJudged, kUnchanged, kNoMedium, kRead };
  Outcome outcome;
  std::uint64_t size_bytes = 0;
  std::optional<Judgement> judgement;
  // Present when the judgement rests on these bytes and on nothing else of the device: nothing but the windows was in its
  // page cache before libblkid ran, and nothing more after it.
  std::optional<Digest> rests_on;
  // Present when the windows were read.
  std::optional<Written> written;
};

std::expected<Result, SysError> Run(const Task& task);

}  // namespace nodecore::probe
