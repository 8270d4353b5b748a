// What the walk through a tree needs of one page, so that the page itself can be forgotten.
#pragma once

#include <cstdint>
#include <expected>
#include <vector>

#include "snapshot/defect.h"
#include "snapshot/page_format.h"

namespace nodecore::snapshot {

enum class PageKind : std::uint8_t {
  kNone,     // not looked at, or not to be relied on
  kBranch,   // packed: child and key, for each
  kLeaf,     // packed: first key, last key; nothing without elements
  kBuckets,  // packed: name and value, as texts, for each
};

// No element: a page has fewer.
constexpr std::uint16_t kNoRecord = 0xffff;

struct PageFacts {
  PageKind kind = PageKind::kNone;
  // Of a leaf: all keys are revisions.
  bool revisions = false;
  // Of a leaf whose keys are revisions: the first element whose value is no record of its revision.
  std::uint16_t bad_record = kNoRecord;
  std::uint16_t count = 0;
  // Pages behind the first that belong to it.
  std::uint32_t overflow = 0;
  // Of a leaf: CRC-32C over keys and values in their order, and over how many bytes.
  std::uint32_t checksum = 0;
  std::uint64_t summed_bytes = 0;
};

// Looks at a whole page, with its overflow, that lies where `header.id` says. Replaces what is in `packed`.
std::expected<PageFacts, Defect> Examine(Bytes page, std::vector<std::byte>& packed);

}  // namespace nodecore::snapshot
