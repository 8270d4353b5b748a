#include "snapshot/record.h"

#include <optional>

#include "snapshot/packed_key.h"

namespace nodecore::snapshot {

namespace {

// Of mvccpb.KeyValue.
enum Field : std::uint64_t { kKey = 1, kCreateRevision = 2, kModRevision = 3, kVersion = 4, kValue = 5, kLease = 6 };
enum WireType : std::uint64_t { kNumber = 0, kBytes = 2 };

constexpr std::size_t kPutBytes = 17;

class Fields {
 public:
  explicit Fields(Bytes bytes) noexcept : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool AtEnd() const noexcept { return at_ == end_; }

  std::optional<std::uint64_t> Number() noexcept {
    // Nearly every tag, and most lengths.
    if (at_ != end_ && std::to_integer<std::uint8_t>(*at_) < 0x80) return std::to_integer<std::uint64_t>(*at_++);
    std::uint64_t number = 0;
    for (int shift = 0; at_ != end_ && shift < 64; shift += 7) {
      const auto digit = std::to_integer<std::uint64_t>(*at_++);
      number |= (digit & 0x7f) << shift;
      if ((digit & 0x80) == 0) return number;
    }
    return std::nullopt;
  }

  bool Skip(std::uint64_t bytes) noexcept {
    if (bytes > static_cast<std::uint64_t>(end_ - at_)) return false;
    at_ += bytes;
    return true;
  }

 private:
  const std::byte* at_;
  const std::byte* end_;
};

}  // namespace

bool IsRecordOf(std::string_view revision, Bytes value) noexcept {
  // What etcdutl puts at the revision that it bumps a store to.
  if (value.empty()) return revision.size() == kPutBytes;
  Fields fields(value);
  bool has_key = false;
  std::uint64_t created = 0;
  std::uint64_t modified = 0;
  std::uint64_t version = 0;
  while (!fields.AtEnd()) {
    const auto tag = fields.Number();
    const auto number = tag ? fields.Number() : std::nullopt;
    if (!number) return false;
    const std::uint64_t field = *tag >> 3;
    // Fields of a version to come would be other ones of these two types.
    if (field == 0 || ((*tag & 7) != kNumber && (*tag & 7) != kBytes)) return false;
    const bool is_bytes = (*tag & 7) == kBytes;
    if (is_bytes && !fields.Skip(*number)) return false;
    if (field <= kLease && is_bytes != (field == kKey || field == kValue)) return false;
    if (field == kKey) has_key = *number > 0;
    if (field == kCreateRevision) created = *number;
    if (field == kModRevision) modified = *number;
    if (field == kVersion) version = *number;
  }
  if (!has_key) return false;
  if (revision.size() != kPutBytes) return created == 0 && modified == 0 && version == 0;
  return modified == MainRevision(revision) && created > 0 && created <= modified && version > 0;
}

}  // namespace nodecore::snapshot
