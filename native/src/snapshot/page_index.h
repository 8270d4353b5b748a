// Facts of the pages that went by, some 40 bytes for each: a database of a gigabyte costs ten megabytes.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "snapshot/page_facts.h"

namespace nodecore::snapshot {

class PageIndex {
 public:
  struct Entry {
    PageFacts facts;
    const std::byte* packed;
  };

  void Note(std::uint64_t page, const PageFacts& facts, const std::vector<std::byte>& packed);
  std::optional<Entry> Find(std::uint64_t page) const noexcept;
  void Clear() noexcept;

 private:
  struct Record {
    std::uint32_t checksum;
    std::uint32_t summed_bytes;
    std::uint32_t overflow;
    std::uint32_t packed_at;
    std::uint16_t count;
    std::uint16_t bad_record;
    PageKind kind = PageKind::kNone;
    bool revisions;
  };

  std::deque<Record> records_;
  // Chunks, so that growing copies nothing.
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::size_t used_ = 0;
};

}  // namespace nodecore::snapshot
