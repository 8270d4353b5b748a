#include "snapshot/page_index.h"

#include <cstring>
#include <limits>

namespace nodecore::snapshot {

namespace {

// A place is a chunk's number and 16 bits within it.
constexpr std::size_t kChunkBytes = 1U << 16;
constexpr std::size_t kMostChunks = 1U << 16;

}  // namespace

void PageIndex::Note(std::uint64_t page, const PageFacts& facts, const std::vector<std::byte>& packed) {
  // What has no room is looked at again when the tree leads there.
  if (packed.size() > kChunkBytes || facts.summed_bytes > std::numeric_limits<std::uint32_t>::max()) return;
  if (chunks_.empty() || used_ + packed.size() > kChunkBytes) {
    if (chunks_.size() == kMostChunks) return;
    chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(kChunkBytes));
    used_ = 0;
  }
  if (records_.size() <= page) records_.resize(page + 1);
  std::memcpy(chunks_.back().get() + used_, packed.data(), packed.size());
  // A full chunk has no place 65536: nothing is packed there.
  const std::size_t at = packed.empty() ? 0 : used_;
  records_[page] = {facts.checksum,
                    static_cast<std::uint32_t>(facts.summed_bytes),
                    facts.overflow,
                    static_cast<std::uint32_t>((chunks_.size() - 1) << 16 | at),
                    facts.count,
                    facts.bad_record,
                    facts.kind,
                    facts.revisions};
  used_ += packed.size();
}

std::optional<PageIndex::Entry> PageIndex::Find(std::uint64_t page) const noexcept {
  if (page >= records_.size() || records_[page].kind == PageKind::kNone) return std::nullopt;
  const Record& record = records_[page];
  PageFacts facts;
  facts.kind = record.kind;
  facts.revisions = record.revisions;
  facts.count = record.count;
  facts.bad_record = record.bad_record;
  facts.overflow = record.overflow;
  facts.checksum = record.checksum;
  facts.summed_bytes = record.summed_bytes;
  return Entry{facts, chunks_[record.packed_at >> 16].get() + (record.packed_at & 0xffff)};
}

void PageIndex::Clear() noexcept {
  records_.clear();
  chunks_.clear();
  used_ = 0;
}

}  // namespace nodecore::snapshot
