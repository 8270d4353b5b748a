// The walk through a database: from the meta page over every page in use, in the order of the keys.
//
// It proves what bbolt's own check proves, and computes what `etcdutl snapshot status` prints.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "snapshot/defect.h"
#include "snapshot/page_index.h"

namespace nodecore::snapshot {

struct Status {
  // CRC-32C over the names, keys and values of all buckets.
  std::uint32_t hash = 0;
  std::uint64_t revision = 0;
  // Of all buckets, with every revision of a key, as etcdutl up to 3.5 counts.
  std::uint64_t total_keys = 0;
  // Entries of the keyspace: revisions, deletions among them.
  std::uint64_t revisions = 0;
  // CRC-32C over the name, keys and values of the keyspace alone: other buckets change when a member starts.
  std::uint32_t keyspace_hash = 0;
  // A compaction was begun and not ended: a member goes on with it when it starts.
  bool compacting = false;
  std::uint64_t total_bytes = 0;
  std::uint64_t used_pages = 0;
  std::uint64_t pages = 0;
  std::uint32_t page_size = 0;
  // As the database itself says; empty when it doesn't (`storageVersion` since etcd 3.6, `clusterVersion`).
  std::string storage_version;
  std::string cluster_version;
};

// Where pages are looked at that the index does not have; -1 without a file.
struct PageSource {
  int fd = -1;
  std::uint64_t database_bytes = 0;
};

std::expected<Status, Defect> Walk(const PageIndex& index, const PageSource& source, Bytes first_pages);

// How many bytes of the beginning Walk wants: the meta pages, wherever the second may be.
constexpr std::size_t kFirstPagesBytes = kMostPageSize + kHeaderBytes + kMetaBytes;

}  // namespace nodecore::snapshot
