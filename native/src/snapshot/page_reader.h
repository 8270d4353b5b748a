// Pages of the file itself, for what went by unnoticed.
#pragma once

#include <expected>
#include <vector>

#include "snapshot/defect.h"
#include "snapshot/page_format.h"
#include "snapshot/tree_walk.h"

namespace nodecore::snapshot {

// A whole page with its overflow, that names its own place and ends within the database of `pages`.
std::expected<std::vector<std::byte>, Defect> ReadPage(const PageSource& source, const Meta& meta, std::uint64_t page);

}  // namespace nodecore::snapshot
