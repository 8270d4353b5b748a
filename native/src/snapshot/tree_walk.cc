#include "snapshot/tree_walk.h"

#include <optional>
#include <string_view>
#include <utility>

#include "snapshot/crc32c.h"
#include "snapshot/meta.h"
#include "snapshot/packed_key.h"
#include "snapshot/page_reader.h"

namespace nodecore::snapshot {

namespace {

// A page in use has two children or more: 64 levels have more pages than there are numbers.
constexpr int kMostDepth = 64;

using Outcome = std::expected<void, Defect>;

std::unexpected<Defect> Wrong(DefectKind kind, std::uint64_t page, std::uint64_t detail = 0) noexcept {
  return std::unexpected(Defect{kind, page, detail});
}

// From `least` on, and below `bound`; without limit where it is absent.
struct KeyRange {
  const std::string* least = nullptr;
  const std::string* bound = nullptr;

  bool Holds(std::string_view first, std::string_view last) const noexcept {
    return (least == nullptr || first >= *least) && (bound == nullptr || last < *bound);
  }
};

// Facts of a page, and what keeps them alive.
struct Visited {
  PageFacts facts;
  const std::byte* packed;
  std::vector<std::byte> own;
};

struct Tree {
  // Of the root tree: its leaves hold buckets.
  bool holds_buckets;
  bool is_keyspace = false;
};

class Walker {
 public:
  Walker(const PageIndex& index, const PageSource& source, const Meta& meta)
      : index_(index), source_(source), meta_(meta), reached_(meta.pages) {
    reached_[0] = true;
    reached_[1] = true;
    used_ = 2;
  }

  std::expected<Status, Defect> Run() {
    if (const auto walked = Page(meta_.root, 0, {}, {.holds_buckets = true}, 0); !walked) {
      return std::unexpected(walked.error());
    }
    if (!saw_keyspace_) return Wrong(DefectKind::kNoKeyspace, meta_.root);
    if (const auto checked = Freelist(); !checked) return std::unexpected(checked.error());
    status_.used_pages = used_;
    status_.pages = meta_.pages;
    status_.page_size = meta_.page_size;
    status_.total_bytes = meta_.pages * meta_.page_size;
    return std::move(status_);
  }

 private:
  Outcome Reach(std::uint64_t page, std::uint32_t overflow) {
    if (overflow >= meta_.pages - page) return Wrong(DefectKind::kPageRange, page, page + overflow);
    for (std::uint64_t i = page; i <= page + overflow; ++i) {
      if (reached_[i]) return Wrong(DefectKind::kPageShared, i);
      reached_[i] = true;
    }
    used_ += std::uint64_t{overflow} + 1;
    return {};
  }

  std::expected<Visited, Defect> Visit(std::uint64_t page, std::uint64_t parent) {
    if (page < 2 || page >= meta_.pages) return Wrong(DefectKind::kPageRange, parent, page);
    Visited visited{};
    if (const auto noted = index_.Find(page)) {
      visited.facts = noted->facts;
      visited.packed = noted->packed;
    } else {
      const auto bytes = ReadPage(source_, meta_, page);
      if (!bytes) return std::unexpected(bytes.error());
      const auto facts = Examine(*bytes, visited.own);
      if (!facts) return std::unexpected(facts.error());
      visited.facts = *facts;
      visited.packed = visited.own.data();
    }
    if (const auto reached = Reach(page, visited.facts.overflow); !reached) return std::unexpected(reached.error());
    return visited;
  }

  Outcome Page(std::uint64_t page, std::uint64_t parent, KeyRange range, const Tree& tree, int depth) {
    if (depth > kMostDepth) return Wrong(DefectKind::kDepth, page);
    const auto visited = Visit(page, parent);
    if (!visited) return std::unexpected(visited.error());
    switch (visited->facts.kind) {
      case PageKind::kBranch:
        return Branch(page, *visited, range, tree, depth);
      case PageKind::kBuckets:
        if (!tree.holds_buckets) return Wrong(DefectKind::kBucket, page);
        return Buckets(page, *visited, range);
      case PageKind::kLeaf:
      case PageKind::kNone:
        break;
    }
    if (tree.holds_buckets && visited->facts.count > 0) return Wrong(DefectKind::kBucket, page);
    return Leaf(page, visited->facts, visited->packed, range, tree);
  }

  Outcome Branch(std::uint64_t page, const Visited& visited, KeyRange range, const Tree& tree, int depth) {
    if (visited.facts.count == 0) return Wrong(DefectKind::kElementBounds, page);
    const std::byte* at = visited.packed;
    std::string key;
    std::string next;
    std::uint64_t child = UnpackNumber(at);
    UnpackKey(at, key);
    if (range.least != nullptr && key < *range.least) return Wrong(DefectKind::kKeyRange, page);
    for (std::uint32_t i = 1; i <= visited.facts.count; ++i) {
      const bool is_last = i == visited.facts.count;
      std::uint64_t next_child = 0;
      if (!is_last) {
        next_child = UnpackNumber(at);
        UnpackKey(at, next);
      }
      const KeyRange below{&key, is_last ? range.bound : &next};
      if (const auto walked = Page(child, page, below, tree, depth + 1); !walked) return walked;
      std::swap(key, next);
      child = next_child;
    }
    // Every key is below the next child's; the last must be below what the parent allows.
    std::swap(key, next);
    if (range.bound != nullptr && key >= *range.bound) return Wrong(DefectKind::kKeyRange, page);
    return {};
  }

  Outcome Leaf(std::uint64_t page, const PageFacts& facts, const std::byte* packed, KeyRange range, const Tree& tree) {
    if (facts.count == 0) return {};
    UnpackKey(packed, first_);
    UnpackKey(packed, last_);
    if (!range.Holds(first_, last_)) return Wrong(DefectKind::kKeyRange, page);
    if (tree.is_keyspace) {
      if (!facts.revisions) return Wrong(DefectKind::kRevisionKey, page);
      if (facts.bad_record != kNoRecord) return Wrong(DefectKind::kRecord, page, facts.bad_record);
      status_.revision = MainRevision(last_);
      status_.revisions += facts.count;
      status_.keyspace_hash = CombineCrc32c(status_.keyspace_hash, facts.checksum, facts.summed_bytes);
    }
    status_.hash = CombineCrc32c(status_.hash, facts.checksum, facts.summed_bytes);
    status_.total_keys += facts.count;
    return {};
  }

  Outcome Buckets(std::uint64_t page, const Visited& visited, KeyRange range) {
    const std::byte* at = visited.packed;
    for (std::uint32_t i = 0; i < visited.facts.count; ++i) {
      const std::string_view name = UnpackText(at);
      const std::string_view value = UnpackText(at);
      if (!range.Holds(name, name)) return Wrong(DefectKind::kKeyRange, page);
      const Bytes bytes = std::as_bytes(std::span(value));
      if (const auto walked = Bucket(page, i, name, bytes); !walked) return walked;
    }
    return {};
  }

  Outcome Bucket(std::uint64_t page, std::uint32_t element, std::string_view name, Bytes value) {
    const Tree tree{.holds_buckets = false, .is_keyspace = name == "key"};
    saw_keyspace_ = saw_keyspace_ || tree.is_keyspace;
    status_.hash = Crc32c(status_.hash, std::as_bytes(std::span(name)));
    if (tree.is_keyspace) status_.keyspace_hash = Crc32c(0, std::as_bytes(std::span(name)));
    const auto root = Load<std::uint64_t>(value.data());
    if (root != 0) {
      if (value.size() != kBucketHeaderBytes) return Wrong(DefectKind::kBucket, page, element);
      return Page(root, page, {}, tree, 0);
    }
    // A small bucket is a page within the value.
    const Bytes inlined = value.subspan(kBucketHeaderBytes);
    if (inlined.size() < kHeaderBytes) return Wrong(DefectKind::kBucket, page, element);
    std::vector<std::byte> packed;
    const auto facts = Examine(inlined, packed);
    if (!facts) return Wrong(facts.error().kind, page, element);
    if (facts->kind != PageKind::kLeaf || facts->overflow != 0) return Wrong(DefectKind::kBucket, page, element);
    // bbolt writes no byte more than the page has.
    if (inlined.size() != kHeaderBytes + kElementBytes * facts->count + facts->summed_bytes) {
      return Wrong(DefectKind::kBucket, page, element);
    }
    if (name == "meta") {
      status_.storage_version = Value(inlined, "storageVersion");
      status_.compacting = Value(inlined, "scheduledCompactRev") != Value(inlined, "finishedCompactRev");
    }
    if (name == "cluster") status_.cluster_version = Value(inlined, "clusterVersion");
    return Leaf(page, *facts, packed.data(), {}, tree);
  }

  // Of a page that Examine found sound.
  static std::string Value(Bytes page, std::string_view wanted) {
    for (std::uint32_t i = 0; i < PageHeader::At(page.data()).count; ++i) {
      const std::size_t at = kHeaderBytes + kElementBytes * i;
      const std::size_t key_at = at + Load<std::uint32_t>(page.data() + at + 4);
      const std::size_t key_bytes = Load<std::uint32_t>(page.data() + at + 8);
      const std::size_t value_bytes = Load<std::uint32_t>(page.data() + at + 12);
      if (AsText(page.subspan(key_at, key_bytes)) == wanted) {
        return std::string(AsText(page.subspan(key_at + key_bytes, value_bytes)));
      }
    }
    return {};
  }

  // etcd writes none: every page that is not reached is free. Where there is one, each page is either.
  Outcome Freelist() {
    if (meta_.freelist == kNoFreelist) return {};
    if (meta_.freelist < 2 || meta_.freelist >= meta_.pages) return Wrong(DefectKind::kPageRange, 0, meta_.freelist);
    const auto bytes = ReadPage(source_, meta_, meta_.freelist);
    if (!bytes) return std::unexpected(bytes.error());
    const PageHeader header = PageHeader::At(bytes->data());
    if (header.flags != kFreelistPage) return Wrong(DefectKind::kPageType, header.id, header.flags);
    if (const auto reached = Reach(header.id, header.overflow); !reached) return reached;
    // A count that has no room in the header is the first of the numbers.
    constexpr std::uint16_t kManyMore = 0xffff;
    const std::size_t room = (bytes->size() - kHeaderBytes) / sizeof(std::uint64_t);
    const std::byte* at = bytes->data() + kHeaderBytes;
    const bool many = header.count == kManyMore;
    const std::uint64_t count = many ? Load<std::uint64_t>(at) : header.count;
    if (count > room - (many ? 1 : 0)) return Wrong(DefectKind::kElementBounds, header.id, count);
    if (many) at += sizeof(std::uint64_t);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto page = Load<std::uint64_t>(at + i * sizeof(std::uint64_t));
      if (page >= meta_.pages) return Wrong(DefectKind::kPageRange, header.id, page);
      if (reached_[page]) return Wrong(DefectKind::kFreePage, page);
      reached_[page] = true;
    }
    for (std::uint64_t page = 0; page < meta_.pages; ++page) {
      if (!reached_[page]) return Wrong(DefectKind::kFreePage, page);
    }
    return {};
  }

  const PageIndex& index_;
  const PageSource& source_;
  const Meta meta_;
  std::vector<bool> reached_;
  std::uint64_t used_ = 0;
  bool saw_keyspace_ = false;
  Status status_;
  std::string first_;
  std::string last_;
};

}  // namespace

std::expected<Status, Defect> Walk(const PageIndex& index, const PageSource& source, Bytes first_pages) {
  const auto meta = NewestMeta(first_pages);
  if (!meta) return Wrong(DefectKind::kNoDatabase, 0);
  if (!IsPageSize(meta->page_size)) return Wrong(DefectKind::kPageSize, 0, meta->page_size);
  if (meta->pages < 3) return Wrong(DefectKind::kNoDatabase, 0);
  if (meta->pages > source.database_bytes / meta->page_size) {
    return Wrong(DefectKind::kTruncated, source.database_bytes / meta->page_size, meta->pages * meta->page_size);
  }
  return Walker(index, source, *meta).Run();
}

}  // namespace nodecore::snapshot
