#include "snapshot/check.h"

#include <algorithm>
#include <cstring>

namespace nodecore::snapshot {

namespace {

// Smaller than any page, and no multiple of it is a digest's length off another.
constexpr std::uint64_t kSector = 512;

}  // namespace

std::expected<Check, SysError> Check::Begin(Proof proof) {
  if (proof == Proof::kStructure) return Check(std::nullopt);
  const auto hash = Sha256::Begin();
  if (!hash) return std::unexpected(hash.error());
  return Check(*hash);
}

void Check::Examine(Bytes bytes) {
  if (first_pages_.size() < kFirstPagesBytes) {
    const auto wanted = bytes.first(std::min(bytes.size(), kFirstPagesBytes - first_pages_.size()));
    first_pages_.insert(first_pages_.end(), wanted.begin(), wanted.end());
  }
  pages_.Feed(bytes);
}

void Check::Hash(Bytes bytes) {
  if (!hash_) return;
  // All but the last bytes are hashed.
  const std::size_t from_tail = std::min(tail_bytes_, tail_bytes_ + bytes.size() - std::min(tail_bytes_ + bytes.size(), tail_.size()));
  hash_->Update(Bytes(tail_).first(from_tail));
  tail_bytes_ -= from_tail;
  std::memmove(tail_.data(), tail_.data() + from_tail, tail_bytes_);
  const std::size_t into_tail = std::min(bytes.size(), tail_.size() - tail_bytes_);
  hash_->Update(bytes.first(bytes.size() - into_tail));
  if (into_tail > 0) std::memcpy(tail_.data() + tail_bytes_, bytes.last(into_tail).data(), into_tail);
  tail_bytes_ += into_tail;
}

Verdict Check::Finish(int fd) {
  Verdict verdict;
  verdict.bytes = pages_.fed();
  const std::uint64_t rest = verdict.bytes % kSector;
  verdict.ending = rest == sizeof(Digest) ? Ending::kDigest : rest == 0 ? Ending::kPage : Ending::kNeither;
  if (hash_) {
    if (verdict.ending == Ending::kDigest) {
      verdict.stated = tail_;
    } else {
      hash_->Update(Bytes(tail_).first(tail_bytes_));
    }
    verdict.computed = hash_->Finish();
  }
  const std::uint64_t database_bytes = verdict.bytes - (verdict.ending == Ending::kDigest ? sizeof(Digest) : 0);
  const Bytes first = Bytes(first_pages_).first(std::min<std::uint64_t>(first_pages_.size(), database_bytes));
  auto walked = Walk(*index_, {fd, database_bytes}, first);
  if (walked) {
    verdict.status = std::move(*walked);
  } else {
    verdict.defect = walked.error();
  }
  return verdict;
}

}  // namespace nodecore::snapshot
