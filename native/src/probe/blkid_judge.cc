#include "probe/blkid_judge.h"

#include <blkid/blkid.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#ifndef BLKID_SUBLKS_FSINFO  // since 2.39; older libraries ignore the bit
#define BLKID_SUBLKS_FSINFO (1 << 11)
#endif

namespace nodecore::probe {

namespace {

using Probe = std::unique_ptr<std::remove_pointer_t<blkid_probe>, decltype(&blkid_free_probe)>;

constexpr int kDescribed = BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID | BLKID_SUBLKS_TYPE | BLKID_SUBLKS_SECTYPE |
                           BLKID_SUBLKS_USAGE | BLKID_SUBLKS_VERSION | BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_FSINFO;
constexpr int kNoSuperblocks = 0;

// libblkid takes devices up to this size for floppies, on which a partition table outranks a file system.
constexpr blkid_loff_t kFloppyBytes = 1440 * 1024;

// More signatures than there are formats mean that libblkid goes in circles.
constexpr std::size_t kMostSignatures = 128;

// libblkid reports failure as -1 and leaves the errno of the read that failed, if it was one.
std::unexpected<SysError> Failure(const char* call) noexcept {
  return std::unexpected(SysError{call, errno == 0 ? EIO : errno});
}

void Configure(blkid_probe probe, int superblocks, int partitions) {
  blkid_reset_probe(probe);
  blkid_probe_enable_superblocks(probe, superblocks == kNoSuperblocks ? 0 : 1);
  blkid_probe_set_superblocks_flags(probe, superblocks);
  blkid_probe_enable_partitions(probe, 1);
  blkid_probe_set_partitions_flags(probe, partitions);
  errno = 0;
}

Values Found(blkid_probe probe) {
  Values values;
  const int count = blkid_probe_numof_values(probe);
  for (int n = 0; n < count; ++n) {
    const char* name = nullptr;
    const char* data = nullptr;
    std::size_t size = 0;
    if (blkid_probe_get_value(probe, n, &name, &data, &size) != 0) continue;
    values.emplace_back(name, std::string(data, strnlen(data, size)));
  }
  return values;
}

bool Has(const Values& values, const char* name) {
  return std::ranges::any_of(values, [&](const auto& value) { return value.first == name; });
}

std::expected<std::vector<Values>, SysError> Enumerate(blkid_probe probe) {
  Configure(probe, kDescribed | BLKID_SUBLKS_BADCSUM, BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
  std::vector<Values> signatures;
  while (signatures.size() < kMostSignatures) {
    const int status = blkid_do_probe(probe);
    if (status == 1) return signatures;
    if (status != 0) return Failure("blkid_do_probe");
    signatures.push_back(Found(probe));
  }
  return std::unexpected(SysError{"blkid_do_probe", ELOOP});
}

std::expected<std::optional<Values>, SysError> SafeProbe(blkid_probe probe) {
  switch (blkid_do_safeprobe(probe)) {
    case 0:
      return Found(probe);
    case 1:
      return Values{};
    case -2:
      return std::nullopt;
    default:
      return Failure("blkid_do_safeprobe");
  }
}

std::expected<std::optional<Values>, SysError> Verdict(blkid_probe probe) {
  if (blkid_probe_is_wholedisk(probe) == 1 && blkid_probe_get_size(probe) <= kFloppyBytes) {
    Configure(probe, kNoSuperblocks, BLKID_PARTS_MAGIC);
    auto table = SafeProbe(probe);
    if (!table || (*table && Has(**table, "PTTYPE"))) return table;
  }
  Configure(probe, kDescribed, BLKID_PARTS_MAGIC);
  return SafeProbe(probe);
}

// The verdict where the enumeration leaves no choice: with nothing found, or one superblock whose checksum is right, there
// is nothing to weigh. A partition table always needs a verdict, because the enumeration forgives its flaws.
std::optional<Values> SoleVerdict(const std::vector<Values>& signatures) {
  if (signatures.empty()) return Values{};
  const bool sole = signatures.size() == 1 && Has(signatures[0], "TYPE") && !Has(signatures[0], "SBBADCSUM");
  return sole ? std::optional(signatures[0]) : std::nullopt;
}

std::string OrEmpty(const char* text) { return text == nullptr ? "" : text; }

// As blkid prints the type byte of an MBR entry.
std::string Hexadecimal(int value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", static_cast<unsigned>(value));
  return text;
}

std::vector<TableEntry> Entries(blkid_probe probe) {
  constexpr std::uint64_t kSector = 512;  // libblkid's unit on every device
  std::vector<TableEntry> entries;
  const blkid_partlist list = blkid_probe_get_partitions(probe);
  const int count = list == nullptr ? 0 : blkid_partlist_numof_partitions(list);
  for (int n = 0; n < count; ++n) {
    const blkid_partition partition = blkid_partlist_get_partition(list, n);
    if (partition == nullptr) continue;
    const char* type = blkid_partition_get_type_string(partition);
    entries.push_back({
        blkid_partition_get_partno(partition),
        OrEmpty(blkid_partition_get_uuid(partition)),
        type == nullptr ? Hexadecimal(blkid_partition_get_type(partition)) : type,
        OrEmpty(blkid_partition_get_name(partition)),
        static_cast<std::uint64_t>(blkid_partition_get_start(partition)) * kSector,
        static_cast<std::uint64_t>(blkid_partition_get_size(partition)) * kSector,
    });
  }
  return entries;
}

}  // namespace

std::expected<Judgement, SysError> Judge(int fd, Window part) {
  errno = 0;
  const Probe probe(blkid_new_probe(), &blkid_free_probe);
  if (!probe) return std::unexpected(SysError{"blkid_new_probe", ENOMEM});
  if (blkid_probe_set_device(probe.get(), fd, static_cast<blkid_loff_t>(part.offset),
                             static_cast<blkid_loff_t>(part.size)) != 0) return Failure("blkid_probe_set_device");
  auto signatures = Enumerate(probe.get());
  if (!signatures) return std::unexpected(signatures.error());

  Judgement judgement{blkid_probe_get_sectorsize(probe.get()), std::move(*signatures), {}, {}};
  judgement.verdict = SoleVerdict(judgement.signatures);
  if (!judgement.verdict) {
    auto verdict = Verdict(probe.get());
    if (!verdict) return std::unexpected(verdict.error());
    judgement.verdict = std::move(*verdict);
  }
  const bool table = std::ranges::any_of(judgement.signatures, [](const Values& v) { return Has(v, "PTTYPE"); });
  if (table) {
    Configure(probe.get(), kDescribed, BLKID_PARTS_MAGIC);
    judgement.entries = Entries(probe.get());
  }
  return judgement;
}

}  // namespace nodecore::probe
