// What is wrong with a snapshot: a kind, and the numbers that say where. The wording is TypeScript's.
#pragma once

#include <cstdint>

namespace nodecore::snapshot {

// In the order of snapshot-facts.ts.
enum class DefectKind : std::uint8_t {
  kNoDatabase,     // no valid meta page
  kTruncated,      // `detail` bytes are expected
  kPageNumber,     // the page says that it is page `detail`
  kPageType,       // `detail` are the flags
  kElementBounds,  // element `detail` is not behind the one before it, or reaches out of the page
  kKeyOrder,       // element `detail` is not behind the one before it
  kKeyRange,       // the page has keys that don't belong below its parent
  kPageRange,      // it refers to page `detail`, which the database does not have
  kPageShared,     // it is used twice
  kDepth,          // deeper than any tree can be
  kBucket,         // element `detail` is a bucket where none belongs, none where one belongs, or has no room
  kRevisionKey,    // a key that is no revision in the bucket of revisions
  kNoKeyspace,     // a sound database without a bucket of revisions
  kFreePage,       // listed as free and in use, or neither
  kTooLarge,       // `detail` bytes can't be held at once
  kUnseen,         // its bytes have gone by, and there is no file to look at again
  kUnreadable,     // the file can't be read there; `detail` is the errno
  kPageExtent,     // it claims `detail` pages behind it, more than its elements need
  kPageSize,       // a meta page with a right sum says `detail` bytes, which no machine's pages have
  kRecord,         // element `detail` is no record of its revision
};

struct Defect {
  DefectKind kind;
  std::uint64_t page;
  std::uint64_t detail = 0;
};

}  // namespace nodecore::snapshot
