// Everything that is to be known of a snapshot that goes by once: its SHA-256, and what the walk through its pages says.
//
// Threads: one at a time, but for the two halves of Feed.
#pragma once

#include <array>
#include <expected>
#include <optional>

#include "core/sys_error.h"
#include "snapshot/page_stream.h"
#include "snapshot/sha256.h"
#include "snapshot/tree_walk.h"

namespace nodecore::snapshot {

// etcd sends the SHA-256 of the database behind it. A database copied out of a data directory has none, and ends with a
// page. Anything else was cut off.
enum class Ending : std::uint8_t { kDigest, kPage, kNeither };

struct Verdict {
  std::uint64_t bytes = 0;
  Ending ending = Ending::kNeither;
  // Of the database without the digest behind it; only when it was hashed.
  std::optional<Digest> computed;
  // What is behind it; only with kDigest, and when it was hashed.
  std::optional<Digest> stated;
  std::optional<Defect> defect;
  std::optional<Status> status;

  // A database that states no digest is not taken at its word.
  bool Sound() const noexcept { return status && computed && computed == stated; }
};

// What is proven: that the pages in use make a database, or also that nobody changed what is in them.
enum class Proof : std::uint8_t { kStructure, kDigest };

class Check {
 public:
  static std::expected<Check, SysError> Begin(Proof proof = Proof::kDigest);

  // Every byte, in order.
  void Feed(Bytes bytes) {
    Examine(bytes);
    Hash(bytes);
  }
  // The halves of Feed. They have nothing in common: each may have a thread of its own until Finish.
  void Examine(Bytes bytes);
  void Hash(Bytes bytes);
  // `fd` holds what was fed, for pages that have to be looked at again; -1 when there is no file.
  Verdict Finish(int fd);

 private:
  explicit Check(std::optional<Sha256> hash) noexcept : hash_(hash) {}

  // Without it nothing is hashed.
  std::optional<Sha256> hash_;
  // The last bytes: a digest, or not yet hashed ones of the database.
  std::array<std::byte, sizeof(Digest)> tail_;
  std::size_t tail_bytes_ = 0;
  std::vector<std::byte> first_pages_;
  std::unique_ptr<PageIndex> index_ = std::make_unique<PageIndex>();
  PageStream pages_{*index_};
};

}  // namespace nodecore::snapshot
