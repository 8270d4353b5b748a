// What is below a place, entry by entry. Symbolic links are entries, and never followed.
//
// Owns: the descriptors of the directories between the place and the entry; kMostDepth at most.
// Threads: one at a time.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <expected>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/descriptor.h"
#include "core/sys_error.h"

namespace nodecore::files {

// Every level has a descriptor. Deeper directories are named as failures, ELOOP.
constexpr std::size_t kMostDepth = 256;

struct WalkOptions {
  // Levels below the place; the entries of the place itself are on level 1.
  std::size_t depth = std::numeric_limits<std::size_t>::max();
  // Whether `status` of entries is wanted; types are known without, as a rule.
  bool status = false;
  // Directories that other file systems are mounted on are entries, and not entered.
  bool one_file_system = false;
};

struct Item {
  // Of an entry that can't be looked at, or of a directory that can't be read, or not to its end.
  bool failed = false;
  // Below the place; "" is the place itself.
  std::string_view path;
  // Where it is, and as what; until the next call of Next.
  int directory = -1;
  const char* name = "";
  // d_type of readdir(3).
  std::uint8_t type = 0;
  std::size_t level = 0;
  struct statx status{};
  SysError error{"", 0};
};

class Walk {
 public:
  static std::expected<Walk, SysError> Open(const std::string& path, WalkOptions options);

  // Null at the end. A directory comes before what is in it, whose names are in the order of their bytes; those of a directory
  // with more than 65 536 are in its own.
  const Item* Next();

  // The directory that was just given is not entered.
  void Skip() noexcept { descend_ = false; }

  // The place itself (O_PATH).
  const Descriptor& place() const noexcept { return place_; }

 private:
  struct Name {
    std::uint32_t offset;
    std::uint8_t type;
  };

  struct Level {
    Descriptor fd;
    std::vector<char> names;
    std::vector<Name> order;
    std::size_t next = 0;
    bool exhausted = false;
    // Of the path that leads here.
    std::size_t path_size = 0;
  };

  Walk(Descriptor place, WalkOptions options) : place_(std::move(place)), options_(options) {}
  const Item* First();
  const Item* Descend();
  const Item* Entry(Level& level);
  const Item* Failure(const char* syscall, int number);
  std::expected<void, SysError> Read(Level& level);

  Descriptor place_;
  WalkOptions options_;
  // Of the place.
  struct statx status_{};
  std::vector<Level> levels_;
  std::string path_;
  Item item_;
  bool started_ = false;
  bool descend_ = false;
  std::vector<char> buffer_;
};

}  // namespace nodecore::files
