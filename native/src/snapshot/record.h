// A value of etcd's keyspace: what was written to a key at a revision, as a message of protocol buffers.
#pragma once

#include <string_view>

#include "snapshot/page_format.h"

namespace nodecore::snapshot {

// Whether a value is a record that belongs to its revision, which IsRevision found to be one: of a put, it names its own
// revision, an earlier or equal one of its creation, and a version of one or more, or nothing at all where a restore has
// bumped the revision; of a deletion, the key alone.
bool IsRecordOf(std::string_view revision, Bytes value) noexcept;

}  // namespace nodecore::snapshot
