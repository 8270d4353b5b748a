#include "tpm/registers.h"

#include <algorithm>
#include <cstring>

namespace nodecore::tpm {

namespace {

// A program that extends registers all the time must not keep us here for ever.
constexpr int kMostAttempts = 16;

constexpr unsigned kRegisters = 24;

// The registers in a selection, bit n for register n.
std::uint32_t MaskOf(const TPMS_PCR_SELECTION& bank) {
  std::uint32_t mask = 0;
  for (unsigned n = 0; n < kRegisters / 8; ++n) {
    if (n < bank.sizeofSelect) mask |= static_cast<std::uint32_t>(bank.pcrSelect[n]) << (8 * n);
  }
  return mask;
}

struct Read {
  std::uint32_t update_counter;
  std::uint32_t mask;
  Answer<TPML_DIGEST> values;
};

// A TPM answers with as many of the registers asked for as fit, the lowest first.
std::expected<Read, Failure> ReadSome(Context& context, std::uint16_t algorithm, std::uint32_t mask) {
  const TPML_PCR_SELECTION wanted = Selection(algorithm, mask);
  TPML_PCR_SELECTION* selection = nullptr;
  TPML_DIGEST* values = nullptr;
  std::uint32_t counter = 0;
  const TSS2_RC rc = context.tss().Esys_PCR_Read(context.esys(), ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &wanted,
                                                 &counter, &selection, &values);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_PCR_Read", rc);
  const auto owned = Own(context, selection);
  Read result{counter, 0, Own(context, values)};
  if (selection->count > 0 && selection->pcrSelections[0].hash == algorithm) {
    result.mask = MaskOf(selection->pcrSelections[0]) & mask;
  }
  return result;
}

}  // namespace

std::expected<Bytes, Failure> ReadPcrs(Context& context, std::uint16_t algorithm, std::uint32_t mask) {
  Bytes bytes;
  std::uint32_t left = mask;
  std::uint32_t counter = 0;
  for (int attempt = 1; left != 0;) {
    const auto read = ReadSome(context, algorithm, left);
    if (!read) return std::unexpected(read.error());
    if (left != mask && read->update_counter != counter && attempt < kMostAttempts) {
      // What was read before and what was read now did not hold at the same time.
      bytes.clear();
      left = mask;
      ++attempt;
      continue;
    }
    counter = read->update_counter;
    if (read->mask == 0 || read->values->count == 0) break;
    std::uint32_t value = 0;
    for (unsigned pcr = 0; pcr < kRegisters && value < read->values->count; ++pcr) {
      if ((read->mask & (1u << pcr)) == 0) continue;
      const TPM2B_DIGEST& digest = read->values->digests[value++];
      bytes.insert(bytes.end(), digest.buffer, digest.buffer + digest.size);
      left &= ~(1u << pcr);
    }
  }
  return bytes;
}

std::expected<void, Failure> ExtendPcr(Context& context, std::uint32_t pcr, std::uint16_t algorithm,
                                       const Bytes& digest) {
  TPML_DIGEST_VALUES values{};
  values.count = 1;
  values.digests[0].hashAlg = algorithm;
  std::memcpy(&values.digests[0].digest, digest.data(), std::min(digest.size(), sizeof values.digests[0].digest));
  const TSS2_RC rc = context.tss().Esys_PCR_Extend(context.esys(), ESYS_TR_PCR0 + pcr, ESYS_TR_PASSWORD, ESYS_TR_NONE,
                                                   ESYS_TR_NONE, &values);
  if (rc != TSS2_RC_SUCCESS) return Refused("Esys_PCR_Extend", rc);
  return {};
}

std::expected<std::vector<std::uint32_t>, Failure> Capability(Context& context, std::uint32_t capability,
                                                              std::uint32_t property, std::uint32_t count) {
  std::vector<std::uint32_t> pairs;
  while (pairs.size() < 2 * static_cast<std::size_t>(count)) {
    TPMI_YES_NO more = TPM2_NO;
    TPMS_CAPABILITY_DATA* data = nullptr;
    const std::uint32_t left = count - static_cast<std::uint32_t>(pairs.size() / 2);
    const TSS2_RC rc = context.tss().Esys_GetCapability(context.esys(), ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE,
                                                        capability, property, left, &more, &data);
    if (rc != TSS2_RC_SUCCESS) return Refused("Esys_GetCapability", rc);
    const auto owned = Own(context, data);
    const std::size_t before = pairs.size();
    if (data->capability == TPM2_CAP_ALGS) {
      const auto& list = data->data.algorithms;
      for (const auto& [alg, properties] : std::span(list.algProperties, list.count)) {
        pairs.insert(pairs.end(), {alg, properties});
      }
    } else if (data->capability == TPM2_CAP_PCRS) {
      const auto& list = data->data.assignedPCR;
      for (const auto& bank : std::span(list.pcrSelections, list.count)) {
        pairs.insert(pairs.end(), {bank.hash, MaskOf(bank)});
      }
      return pairs;  // always all of them
    } else if (data->capability == TPM2_CAP_TPM_PROPERTIES) {
      const auto& list = data->data.tpmProperties;
      for (const auto& [name, value] : std::span(list.tpmProperty, list.count)) {
        pairs.insert(pairs.end(), {name, value});
      }
    }
    if (more == TPM2_NO || pairs.size() == before) break;
    property = pairs[pairs.size() - 2] + 1;
  }
  return pairs;
}

}  // namespace nodecore::tpm
