// Which of a database's two meta pages counts.
#pragma once

#include <optional>

#include "snapshot/page_format.h"

namespace nodecore::snapshot {

// The valid one with the higher transaction; a torn one is what a database copied from under a server has. The second
// lies a page behind the first, so without the first every size is tried. A first one with a page size that no machine has
// comes back as it is: programs that open the database go by it.
inline std::optional<Meta> NewestMeta(Bytes first_pages) noexcept {
  const auto at = [&](std::uint64_t offset) -> std::optional<Meta> {
    if (first_pages.size() < offset + kHeaderBytes + kMetaBytes) return std::nullopt;
    return ReadMeta(first_pages.data() + offset);
  };
  const auto first = at(0);
  if (first) {
    if (!IsPageSize(first->page_size)) return first;
    const auto second = at(first->page_size);
    return second && second->page_size == first->page_size && second->transaction > first->transaction ? second : first;
  }
  for (std::uint32_t size = kLeastPageSize; size <= kMostPageSize; size *= 2) {
    const auto second = at(size);
    if (second && second->page_size == size) return second;
  }
  return std::nullopt;
}

}  // namespace nodecore::snapshot
