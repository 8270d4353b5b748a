#include "snapshot/page_facts.h"

#include <string_view>

#include "snapshot/crc32c.h"
#include "snapshot/packed_key.h"
#include "snapshot/record.h"

namespace nodecore::snapshot {

namespace {

// Bytes of a page: those of each element begin where those of the one before end, and the first ones at the end of the
// table, as bbolt writes them. Anything else is damage, and a page could have each of its bytes in thousands of elements,
// and cost thousands of times its size.
class Reach {
 public:
  Reach(Bytes page, std::uint16_t count) noexcept
      : page_(page), begin_(kHeaderBytes + kElementBytes * std::uint64_t{count}) {}

  bool TableFits() const noexcept { return begin_ <= page_.size(); }
  bool Holds(std::uint64_t at, std::uint64_t size) const noexcept {
    return at == begin_ && at <= page_.size() && size <= page_.size() - at;
  }
  // Of the next element.
  Bytes Take(std::uint64_t at, std::uint64_t size) noexcept {
    begin_ = at + size;
    return page_.subspan(at, size);
  }
  // Whether all the pages behind the first are needed; bbolt once took one more for what fills its pages exactly.
  bool Fills(std::uint32_t overflow) const noexcept {
    const std::uint64_t page_bytes = page_.size() / (std::uint64_t{overflow} + 1);
    // A page within a value has none behind it, even if it says so.
    return page_bytes > 0 && overflow <= begin_ / page_bytes;
  }

 private:
  Bytes page_;
  // Where the table ends, and then what was taken.
  std::uint64_t begin_;
};

// The checksum of pieces in their order. They usually lie one behind the other, and are then summed at once.
class Sum {
 public:
  void Add(Bytes piece) noexcept {
    total_ += piece.size();
    if (piece.data() == run_.data() + run_.size()) {
      run_ = {run_.data(), run_.size() + piece.size()};
      return;
    }
    crc_ = Crc32c(crc_, run_);
    run_ = piece;
  }
  std::uint32_t Finish() noexcept { return Crc32c(crc_, run_); }
  std::uint64_t total() const noexcept { return total_; }

 private:
  std::uint32_t crc_ = 0;
  std::uint64_t total_ = 0;
  Bytes run_;
};

std::unexpected<Defect> Wrong(DefectKind kind, const PageHeader& header, std::uint64_t detail) noexcept {
  return std::unexpected(Defect{kind, header.id, detail});
}

std::expected<PageFacts, Defect> ExamineBranch(Bytes page, const PageHeader& header, std::vector<std::byte>& packed) {
  Reach reach(page, header.count);
  std::string_view previous;
  for (std::uint32_t i = 0; i < header.count; ++i) {
    const std::uint64_t at = kHeaderBytes + kElementBytes * i;
    const std::byte* const element = page.data() + at;
    const std::uint64_t key_at = at + Load<std::uint32_t>(element);
    const std::uint64_t key_bytes = Load<std::uint32_t>(element + 4);
    if (!reach.Holds(key_at, key_bytes)) return Wrong(DefectKind::kElementBounds, header, i);
    const auto key = AsText(reach.Take(key_at, key_bytes));
    if (i > 0 && key <= previous) return Wrong(DefectKind::kKeyOrder, header, i);
    previous = key;
    PackNumber(packed, Load<std::uint64_t>(element + 8));
    PackKey(packed, key);
  }
  if (!reach.Fills(header.overflow)) return Wrong(DefectKind::kPageExtent, header, header.overflow);
  PageFacts facts;
  facts.kind = PageKind::kBranch;
  return facts;
}

struct Leaf {
  std::uint32_t flags;
  Bytes key;
  Bytes value;
};

std::expected<Leaf, Defect> LeafElement(Bytes page, const PageHeader& header, Reach& reach, std::uint32_t index) {
  const std::uint64_t at = kHeaderBytes + kElementBytes * index;
  const std::byte* const element = page.data() + at;
  const std::uint64_t key_at = at + Load<std::uint32_t>(element + 4);
  const std::uint64_t key_bytes = Load<std::uint32_t>(element + 8);
  const std::uint64_t value_bytes = Load<std::uint32_t>(element + 12);
  if (!reach.Holds(key_at, key_bytes + value_bytes)) return Wrong(DefectKind::kElementBounds, header, index);
  const Bytes key = reach.Take(key_at, key_bytes);
  return Leaf{Load<std::uint32_t>(element), key, reach.Take(key_at + key_bytes, value_bytes)};
}

std::expected<PageFacts, Defect> ExamineLeaf(Bytes page, const PageHeader& header, std::vector<std::byte>& packed) {
  Reach reach(page, header.count);
  PageFacts facts;
  facts.kind = PageKind::kLeaf;
  facts.revisions = true;
  Sum sum;
  std::string_view first;
  std::string_view previous;
  for (std::uint32_t i = 0; i < header.count; ++i) {
    const auto leaf = LeafElement(page, header, reach, i);
    if (!leaf) return std::unexpected(leaf.error());
    const auto key = AsText(leaf->key);
    if (i > 0 && key <= previous) return Wrong(DefectKind::kKeyOrder, header, i);
    if (i == 0) first = key;
    previous = key;
    // bbolt knows one flag; any other bit is not its.
    if (leaf->flags > kBucketElement) return Wrong(DefectKind::kBucket, header, i);
    const bool is_bucket = leaf->flags == kBucketElement;
    if (i > 0 && is_bucket != (facts.kind == PageKind::kBuckets)) return Wrong(DefectKind::kBucket, header, i);
    if (is_bucket) {
      if (leaf->value.size() < kBucketHeaderBytes) return Wrong(DefectKind::kBucket, header, i);
      facts.kind = PageKind::kBuckets;
      PackText(packed, key);
      PackText(packed, AsText(leaf->value));
      continue;
    }
    facts.revisions = facts.revisions && IsRevision(key);
    if (facts.revisions && facts.bad_record == kNoRecord && !IsRecordOf(key, leaf->value)) {
      facts.bad_record = static_cast<std::uint16_t>(i);
    }
    sum.Add(leaf->key);
    sum.Add(leaf->value);
  }
  if (!reach.Fills(header.overflow)) return Wrong(DefectKind::kPageExtent, header, header.overflow);
  if (facts.kind == PageKind::kLeaf && header.count > 0) {
    PackKey(packed, first);
    PackKey(packed, previous);
  }
  facts.checksum = sum.Finish();
  facts.summed_bytes = sum.total();
  return facts;
}

}  // namespace

std::expected<PageFacts, Defect> Examine(Bytes page, std::vector<std::byte>& packed) {
  packed.clear();
  const PageHeader header = PageHeader::At(page.data());
  if (!header.HoldsElements()) return Wrong(DefectKind::kPageType, header, header.flags);
  if (!Reach(page, header.count).TableFits()) return Wrong(DefectKind::kElementBounds, header, header.count);
  auto facts = header.flags == kBranchPage ? ExamineBranch(page, header, packed) : ExamineLeaf(page, header, packed);
  if (!facts) return facts;
  facts->count = header.count;
  facts->overflow = header.overflow;
  return facts;
}

}  // namespace nodecore::snapshot
