// What trees take of their file systems, as messages of nodecore.v1.FileUsageBatch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "files/inodes.h"
#include "files/source.h"
#include "files/walk.h"

namespace nodecore::files {

struct UsageRequest {
  std::vector<std::string> roots;
  // Levels below each root that have rows of their own.
  std::size_t depth;
  // Files have rows, too, not only directories.
  bool all;
  // Rows of so many bytes at least; negative: at most.
  std::int64_t threshold;
  // The threshold is about what files say they have, not what they take.
  bool apparent;
  bool one_file_system;
};

class Usage : public Source {
 public:
  explicit Usage(UsageRequest request) : request_(std::move(request)) {}
  std::expected<void, SysError> Fill(Piece& piece, const std::atomic<bool>& cancelled) override;

 private:
  struct Sum {
    std::size_t level = 0;
    std::string path;
    std::uint32_t type = 0;
    std::uint64_t disk = 0;
    std::uint64_t apparent = 0;
    std::uint64_t files = 0;
  };

  void Begin(Piece& piece);
  void Add(Piece& piece, const Item& item);
  void Close(Piece& piece, std::size_t level);
  void Row(Piece& piece, const Sum& sum);
  bool IsCounted(const Item& item);

  UsageRequest request_;
  std::size_t root_ = 0;
  std::optional<Walk> walk_;
  struct statx root_status_{};
  std::vector<Sum> open_;
  Inodes<bool> seen_;
};

}  // namespace nodecore::files
