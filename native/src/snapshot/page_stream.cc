#include "snapshot/page_stream.h"

#include <algorithm>

namespace nodecore::snapshot {

namespace {

// etcd takes requests of 1.5 MiB by default.
constexpr std::uint64_t kMostHeld = 8U << 20;
// Candidates may overlap, and forged ones could make every byte be summed a thousand times.
constexpr std::uint64_t kMostWork = 4;
constexpr std::uint64_t kFreeWork = 64U << 20;

}  // namespace

void PageStream::Feed(Bytes bytes) {
  while (!bytes.empty()) {
    if (held_.empty()) {
      const std::uint64_t begin = fed_;
      fed_ += bytes.size();
      held_begin_ = Take(bytes, begin);
      held_.assign(bytes.end() - static_cast<std::ptrdiff_t>(fed_ - held_begin_), bytes.end());
      return;
    }
    // Only what completes the pages that were held: the others are looked at where they are.
    const auto added = bytes.first(std::min<std::uint64_t>(bytes.size(), Wanted() - fed_));
    bytes = bytes.subspan(added.size());
    held_.insert(held_.end(), added.begin(), added.end());
    fed_ += added.size();
    const std::uint64_t keep = Take(held_, held_begin_);
    if (keep == fed_) {
      held_.clear();
    } else if (keep - held_begin_ >= kMostHeld / 4) {
      // Not each time: moving costs as much as holding.
      held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(keep - held_begin_));
      held_begin_ = keep;
    }
  }
}

// Where everything ends that is held because it has no end yet; something is.
std::uint64_t PageStream::Wanted() const noexcept {
  if (page_size_ == 0) return kHeaderBytes + kMetaBytes;
  const std::uint64_t header = next_page_ < fed_ ? next_page_ + kHeaderBytes : 0;
  return pending_.empty() ? header : std::max(header, pending_.back().end);
}

// `bytes` begin at `begin` and end at fed_. Says from where on they are wanted once more.
std::uint64_t PageStream::Take(Bytes bytes, std::uint64_t begin) {
  if (page_size_ == 0) {
    if (fed_ < kHeaderBytes + kMetaBytes) return begin;
    // Without the first page nothing can be noted; the walk finds the second.
    if (begin != 0) return fed_;
    const auto meta = ReadMeta(bytes.data());
    if (!meta || !IsPageSize(meta->page_size)) return fed_;
    page_size_ = meta->page_size;
  }
  while (!pending_.empty() && pending_.front().end <= fed_) {
    const auto [from, to] = pending_.front();
    pending_.pop_front();
    Look(bytes.subspan(from - begin, to - from), from / page_size_);
  }
  for (; next_page_ + kHeaderBytes <= fed_; next_page_ += page_size_) {
    const PageHeader header = PageHeader::At(bytes.data() + (next_page_ - begin));
    if (!header.HoldsElements() || header.id != next_page_ / page_size_) continue;
    const std::uint64_t end = next_page_ + (std::uint64_t{header.overflow} + 1) * page_size_;
    if (end <= fed_) {
      Look(bytes.subspan(next_page_ - begin, end - next_page_), header.id);
    } else if (end - next_page_ <= kMostHeld) {
      const Candidate candidate{next_page_, end};
      pending_.insert(std::ranges::upper_bound(pending_, end, {}, &Candidate::end), candidate);
    }
  }
  std::uint64_t keep = std::min(next_page_, fed_);
  for (const Candidate& candidate : pending_) keep = std::min(keep, candidate.begin);
  return keep;
}

void PageStream::Look(Bytes bytes, std::uint64_t page) {
  if (examined_ > kFreeWork + kMostWork * fed_) return;
  examined_ += bytes.size();
  if (const auto facts = Examine(bytes, packed_)) index_.Note(page, *facts, packed_);
}

}  // namespace nodecore::snapshot
