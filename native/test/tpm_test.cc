// The TPM's core without JavaScript, against the TPM that the first argument names: a plain program, so that sanitizers and
// debuggers need no Node around it, and nobody else leaves traces in its memory.

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "core/descriptor.h"
#include "tpm/tpm_queue.h"

namespace {

using namespace nodecore::tpm;

constexpr std::uint16_t kSha256 = 0x000b;
constexpr std::uint16_t kEcc = 0x0023;
constexpr std::uint16_t kRsa = 0x0001;

int failures = 0;

void Expect(bool condition, const char* what) {
  std::printf("%s - %s\n", condition ? "ok" : "not ok", what);
  if (!condition) failures += 1;
}

const Policy kNoPolicy{std::nullopt, kSha256, 0, false};
const Bytes kNoPolicyDigest(32, 0);

// The n-th byte of what is sealed: computed, so that the pattern that is searched for is nowhere itself.
std::uint8_t Pattern(std::size_t n) { return static_cast<std::uint8_t>(n * 37 + 11); }

SecretBytes MakeSecret() {
  std::array<std::uint8_t, 32> bytes;
  for (std::size_t n = 0; n < bytes.size(); ++n) bytes[n] = Pattern(n);
  SecretBytes secret(bytes);
  explicit_bzero(bytes.data(), bytes.size());
  return secret;
}

SealRequest ToSeal(std::uint16_t algorithm) {
  return {algorithm, MakeSecret(), SecretBytes(), kNoPolicyDigest, kNoPolicy};
}

UnsealRequest ToUnseal(std::uint16_t algorithm, const Sealed& sealed) {
  const auto root = sealed.storage_root.empty() ? std::nullopt : std::optional(sealed.storage_root);
  return {algorithm, root, sealed.key_name, sealed.blob, SecretBytes(), kNoPolicyDigest, kNoPolicy};
}

bool IsPattern(const SecretBytes& secret) {
  for (std::size_t n = 0; n < secret.size(); ++n) {
    if (secret.data()[n] != Pattern(n)) return false;
  }
  return secret.size() == 32;
}

// Looks for half of the secret in everything this process may write to.
std::size_t TracesOfTheSecret() {
  constexpr std::size_t kFrom = 8;
  constexpr std::size_t kSize = 16;
  constexpr std::size_t kLargest = 256 << 20;  // AddressSanitizer's own mappings have terabytes
  std::ifstream maps("/proc/self/maps");
  const nodecore::Descriptor memory(open("/proc/self/mem", O_RDONLY | O_CLOEXEC));
  std::string page(1 << 16, '\0');
  std::size_t found = 0;
  for (std::string line; std::getline(maps, line);) {
    unsigned long start = 0;
    unsigned long end = 0;
    char rights[5];
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &start, &end, rights) != 3 || rights[1] != 'w') continue;
    if (end - start > kLargest) continue;
    std::size_t matched = 0;
    for (unsigned long at = start; at < end; at += page.size()) {
      const auto wanted = std::min<unsigned long>(page.size(), end - at);
      explicit_bzero(page.data(), page.size());  // what was found before must not be found here
      if (pread(memory.get(), page.data(), wanted, static_cast<off_t>(at)) != static_cast<ssize_t>(wanted)) break;
      for (const char character : std::span(page.data(), wanted)) {
        const auto byte = static_cast<std::uint8_t>(character);
        if (byte != Pattern(kFrom + matched)) matched = 0;
        if (byte == Pattern(kFrom + matched)) matched += 1;
        if (matched < kSize) continue;
        found += 1;
        matched = 0;
      }
    }
  }
  explicit_bzero(page.data(), page.size());
  return found;
}

void SecretsComeBackAndLeaveNoTrace(const std::string& tcti) {
  const auto connected = Context::Connect(tcti);
  Expect(connected.has_value(), "a connection opens");
  if (!connected) return;
  Context& context = **connected;
  Sealed sealed;
  {
    const SealRequest request = ToSeal(TPM2_ALG_ERROR);
    auto result = Seal(context, request);
    Expect(result.has_value() && result->primary_algorithm == kEcc, "a secret is sealed under an elliptic curve key");
    if (!result) return;
    sealed = std::move(*result);
    Expect(TracesOfTheSecret() > 0, "a secret that is held is found in memory");
  }
  Expect(TracesOfTheSecret() == 0, "sealing leaves nothing of the secret in memory");
  {
    const auto secret = Unseal(context, ToUnseal(kEcc, sealed));
    Expect(secret && IsPattern(*secret), "it comes back");
  }
  Expect(TracesOfTheSecret() == 0, "unsealing leaves nothing of it either");

  Expect(!sealed.storage_root.empty(), "the key that it was sealed under stays in the TPM");
  UnsealRequest elsewhere = ToUnseal(kRsa, sealed);
  elsewhere.storage_root.reset();
  const auto other = Unseal(context, elsewhere);
  Expect(!other && other.error().condition == Condition::kKey, "under another storage root key it does not");
  auto rsa = Seal(context, ToSeal(kRsa));
  Expect(rsa && rsa->primary_algorithm == kRsa, "an RSA key serves as well");
  if (rsa) {
    const auto secret = Unseal(context, ToUnseal(kRsa, *rsa));
    Expect(secret && IsPattern(*secret), "what was sealed under it comes back");
  }
}

void HostileBytesAreRefused(const std::string& tcti) {
  const auto connected = Context::Connect(tcti);
  if (!connected) return Expect(false, "a connection opens again");
  Context& context = **connected;
  const auto sealed = Seal(context, ToSeal(kEcc));
  if (!sealed) return Expect(false, "a secret is sealed");
  bool refused = true;
  for (std::size_t size = 0; size < sealed->blob.size(); ++size) {
    Sealed cut = *sealed;
    cut.blob.resize(size);
    const auto result = Unseal(context, ToUnseal(kEcc, cut));
    refused = refused && !result;
  }
  Expect(refused, "a blob that is cut short anywhere is refused");
  Sealed longer = *sealed;
  longer.blob.push_back(0);
  const auto result = Unseal(context, ToUnseal(kEcc, longer));
  Expect(!result && result.error().condition == Condition::kBlob, "and one with something behind it");
  Sealed large = *sealed;
  large.blob.assign(4096, 0xff);
  Expect(!Unseal(context, ToUnseal(kEcc, large)), "and sizes that are too large");
  UnsealRequest request = ToUnseal(kEcc, *sealed);
  request.storage_root = Bytes(64, 0xff);
  Expect(!Unseal(context, request), "and a handle that is none");
  Expect(Unseal(context, ToUnseal(kEcc, *sealed)).has_value(), "after all that the TPM serves as before");
}

std::vector<Reply> Wait(TpmQueue& queue, std::size_t count) {
  std::vector<Reply> replies;
  while (replies.size() < count) {
    pollfd ready{queue.fd(), POLLIN, 0};
    if (poll(&ready, 1, 30'000) != 1) break;
    for (Reply& reply : queue.Receive()) replies.push_back(std::move(reply));
  }
  return replies;
}

void RequestsRunInTheirOrder(const std::string& tcti) {
  auto queue = TpmQueue::Open(tcti);
  Expect(queue.has_value(), "a queue opens");
  queue->Submit(1, [](Context&) -> Outcome { return Value(); });
  queue->Connect(2);
  queue->Submit(3, [](Context& context) -> Outcome { return Value(*ReadPcrs(context, kSha256, 0x80)); });
  queue->Disconnect(4);
  queue->Submit(5, [](Context&) -> Outcome { return Value(); });
  const auto replies = Wait(*queue, 5);
  Expect(replies.size() == 5, "each request is answered");
  if (replies.size() != 5) return;
  bool ordered = true;
  for (std::size_t n = 0; n < replies.size(); ++n) ordered = ordered && replies[n].id == n + 1;
  Expect(ordered, "in the order in which they were made");
  Expect(!replies[0].outcome && replies[1].outcome && replies[2].outcome && replies[3].outcome && !replies[4].outcome,
         "nothing is done before the connection opens and after it ends");
  Expect(replies[2].outcome && std::get<Bytes>(*replies[2].outcome).size() == 32, "a register has 32 bytes");
  Expect(!queue->Cancel(5), "what was answered can't be cancelled");
}

void AnAddressWithoutATpmIsAnError() {
  const auto connected = Context::Connect("swtpm:path=/nonexistent/tpm");
  Expect(!connected && connected.error().condition == Condition::kResponse && connected.error().response_code != 0,
         "nobody at an address is an error with its code");
}

std::size_t OpenDescriptors() {
  std::size_t count = 0;
  DIR* directory = opendir("/proc/self/fd");
  while (readdir(directory) != nullptr) count += 1;
  closedir(directory);
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  AnAddressWithoutATpmIsAnError();  // loads the libraries
  const std::size_t before = OpenDescriptors();
  SecretsComeBackAndLeaveNoTrace(argv[1]);
  HostileBytesAreRefused(argv[1]);
  RequestsRunInTheirOrder(argv[1]);
  // The queue's thread ends on its own, a moment after it.
  for (int i = 0; i < 5000 && OpenDescriptors() != before; ++i) poll(nullptr, 0, 1);
  Expect(OpenDescriptors() == before, "no descriptor is left");
  return failures == 0 ? 0 : 1;
}
