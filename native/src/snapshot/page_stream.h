// Finds pages in a database that goes by in pieces, and notes their facts.
//
// Where a page may begin, a header that names its own place makes a candidate. Pages that are free keep their old headers,
// and a value may hold anything: whether a candidate is one of the tree's pages is for the walk to find out. What could
// not be held long enough, or costs too much for what it may be worth, is not noted; the walk looks at it in the file.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "snapshot/page_format.h"
#include "snapshot/page_index.h"

namespace nodecore::snapshot {

class PageStream {
 public:
  explicit PageStream(PageIndex& index) noexcept : index_(index) {}

  void Feed(Bytes bytes);

  std::uint64_t fed() const noexcept { return fed_; }
  // 0 until the first page has said it.
  std::uint32_t page_size() const noexcept { return page_size_; }

 private:
  struct Candidate {
    std::uint64_t begin;
    std::uint64_t end;
  };

  std::uint64_t Take(Bytes bytes, std::uint64_t begin);
  std::uint64_t Wanted() const noexcept;
  void Look(Bytes bytes, std::uint64_t page);

  PageIndex& index_;
  std::uint64_t fed_ = 0;
  std::uint32_t page_size_ = 0;
  // Where the next page begins that nobody looked at.
  std::uint64_t next_page_ = 0;
  // The end of what went by, back to the first candidate that is not whole yet or further.
  std::vector<std::byte> held_;
  std::uint64_t held_begin_ = 0;
  std::deque<Candidate> pending_;
  std::uint64_t examined_ = 0;
  std::vector<std::byte> packed_;
};

}  // namespace nodecore::snapshot
