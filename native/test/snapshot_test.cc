// The check of snapshots without JavaScript: known answers, and with a snapshot's name, damaged copies of it.
//
//   snapshot_test                  known answers
//   snapshot_test FILE SEED COUNT  COUNT copies of FILE in memory, each damaged in its own way, in pieces of odd sizes

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>
#include <vector>

#include "core/descriptor.h"
#include "h2/call.h"
#include "snapshot/check.h"
#include "snapshot/crc32c.h"
#include "snapshot/hash_lane.h"
#include "snapshot/messages.h"
#include "snapshot/packed_key.h"
#include "snapshot/page_facts.h"
#include "snapshot/part_file.h"
#include "snapshot/record.h"
#include "snapshot/sha256.h"

namespace {

// What was asked of the system in the order it was: fsync and renameat2 below stand before the library's own.
std::vector<std::string> asked;

}  // namespace

extern "C" int fsync(int fd) {
  const bool is_file = lseek(fd, 0, SEEK_CUR) > 0;
  asked.push_back(is_file ? "sync file" : "sync directory");
  return 0;
}

extern "C" int renameat2(int, const char* from, int, const char* to, unsigned) noexcept {
  asked.push_back("rename");
  return rename(from, to);
}

namespace {

using namespace nodecore::snapshot;

int failures = 0;

void Expect(bool condition, const char* what) {
  std::printf("%s - %s\n", condition ? "ok" : "not ok", what);
  if (!condition) failures += 1;
}

Bytes AsBytes(std::string_view text) { return std::as_bytes(std::span(text)); }

void ChecksumsAreThePublishedOnes() {
  Expect(Crc32c(0, AsBytes("123456789")) == 0xe3069283, "CRC-32C of 123456789 is the published one");
  Expect(PortableCrc32c(0, AsBytes("123456789")) == 0xe3069283, "and without the processor's instruction, too");
  std::mt19937 random(1);
  std::vector<std::byte> bytes(20'000);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  bool equal = true;
  bool joined = true;
  for (std::size_t size : {0UZ, 1UZ, 7UZ, 8UZ, 255UZ, 256UZ, 3071UZ, 3072UZ, 3073UZ, 9999UZ, 20'000UZ}) {
    const Bytes first = Bytes(bytes).first(size);
    const Bytes rest = Bytes(bytes).subspan(size);
    equal = equal && Crc32c(7, first) == PortableCrc32c(7, first);
    joined = joined && CombineCrc32c(Crc32c(0, first), Crc32c(0, rest), rest.size()) == Crc32c(0, bytes);
  }
  // The instruction's streams are as long as the bytes allow.
  for (std::size_t size = 0; size < 7'000; ++size) {
    const Bytes some = Bytes(bytes).subspan(size % 13, size);
    equal = equal && Crc32c(0xdeadbeef, some) == PortableCrc32c(0xdeadbeef, some);
  }
  Expect(equal, "both ways agree on every length");
  Expect(joined, "checksums of pieces combine to the checksum of all");
  constexpr std::uint64_t kLong = 0x1'0002'0304;
  std::uint32_t zeros = 0x12345678;
  std::uint32_t by_steps = zeros;
  zeros = CombineCrc32c(zeros, 0, kLong);
  for (std::uint64_t left = kLong; left > 0; left -= left > 0x7fff'ffff ? 0x7fff'ffff : left) {
    by_steps = CombineCrc32c(by_steps, 0, left > 0x7fff'ffff ? 0x7fff'ffff : left);
  }
  Expect(zeros == by_steps, "lengths beyond 4 GiB combine");
}

void DigestIsThePublishedOne() {
  auto hash = Sha256::Begin();
  Expect(hash.has_value(), "a libcrypto is found");
  if (!hash) return;
  hash->Update(AsBytes("ab"));
  hash->Update(AsBytes("c"));
  const Digest digest = hash->Finish();
  Expect(digest[0] == std::byte{0xba} && digest[1] == std::byte{0x78} && digest[31] == std::byte{0xad},
         "SHA-256 of abc is the published one");
}

void KeysSurvivePacking() {
  using namespace std::string_view_literals;
  bool same = true;
  for (const std::string_view key :
       {"\0\0\0\0\0\0\1\2_\0\0\0\0\0\0\0\3"sv, "\xff\xff\xff\xff\xff\xff\xff\xff_\xff\xff\xff\xff\xff\xff\xff\xfft"sv,
        "\0\0\0\0\0\0\1\2_\0\0\0\0\0\0\0\3x"sv, ""sv, "authEnabled"sv}) {
    std::vector<std::byte> packed;
    PackKey(packed, key);
    std::string back = "something before";
    const std::byte* at = packed.data();
    UnpackKey(at, back);
    same = same && back == key && at == packed.data() + packed.size();
  }
  Expect(same, "keys survive packing");
}

void ShortInputIsNoDatabase() {
  bool refused = true;
  for (std::size_t size : {0UZ, 1UZ, 31UZ, 32UZ, 33UZ, 64UZ, 79UZ, 80UZ, 512UZ, 544UZ, 4096UZ, 70'000UZ}) {
    auto check = Check::Begin();
    const std::vector<std::byte> zeros(size);
    check->Feed(zeros);
    const Verdict verdict = check->Finish(-1);
    refused = refused && !verdict.status && verdict.defect && verdict.defect->kind == DefectKind::kNoDatabase &&
              verdict.bytes == size;
  }
  Expect(refused, "zeros of any length are no database");
}

void AThreadOfItsOwnHashesTheSame() {
  std::mt19937_64 random(7);
  bool same = true;
  bool faithful = true;
  // None, less than a block, and several times what there are blocks for.
  for (const std::size_t size : {0UZ, 1UZ, 31UZ, 4096UZ, 300'000UZ, 5'000'001UZ}) {
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    auto expected = Check::Begin();
    auto check = Check::Begin();
    expected->Feed(bytes);
    auto lane = HashLane::Open(*check);
    for (Bytes left = bytes; !left.empty();) {
      const auto room = (*lane)->Next();
      const Bytes piece = left.first(std::min({left.size(), room.size(), 1UZ + random() % room.size()}));
      std::ranges::copy(piece, room.begin());
      (*lane)->Push(piece.size());
      check->Examine(room.first(piece.size()));
      faithful = faithful && std::ranges::equal(piece, room.first(piece.size()));
      left = left.subspan(piece.size());
    }
    lane->reset();
    const Verdict one = check->Finish(-1);
    const Verdict other = expected->Finish(-1);
    same = same && one.computed == other.computed && one.bytes == other.bytes && one.ending == other.ending;
  }
  Expect(same, "a thread of its own hashes the same, whatever the pieces");
  Expect(faithful, "and leaves a block alone as long as it may be read");
  auto check = Check::Begin();
  auto lane = HashLane::Open(*check);
  (*lane)->Next();
  lane->reset();
  Expect(check->Finish(-1).bytes == 0, "it ends, too, when room was asked for and not used");
}

std::vector<std::byte> ReadAll(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text((std::istreambuf_iterator<char>(file)), {});
  const Bytes bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Verdict CheckInPieces(const std::vector<std::byte>& bytes, std::mt19937_64& random) {
  const nodecore::Descriptor file(memfd_create("snapshot", MFD_CLOEXEC));
  [[maybe_unused]] const ssize_t written = write(file.get(), bytes.data(), bytes.size());
  auto check = Check::Begin();
  Bytes left = bytes;
  while (!left.empty()) {
    const std::size_t size = std::min<std::size_t>(left.size(), 1 + random() % (1U << (random() % 20)));
    check->Feed(left.first(size));
    left = left.subspan(size);
  }
  return check->Finish(random() % 4 == 0 ? -1 : file.get());
}

// Damage where it hurts: headers and tables of pages get numbers that readers trust.
void Damage(std::vector<std::byte>& bytes, std::mt19937_64& random) {
  constexpr std::size_t kPage = 4096;
  for (std::uint64_t changes = 1 + random() % 4; changes > 0; --changes) {
    const std::size_t page = random() % (bytes.size() / kPage) * kPage;
    const bool in_table = random() % 4 != 0;
    const std::size_t at = in_table ? page + random() % 256 / 4 * 4 : random() % (bytes.size() - 8);
    switch (random() % 5) {
      case 0:
        bytes[at] ^= static_cast<std::byte>(1U << (random() % 8));
        break;
      case 1: {
        const std::uint64_t numbers[] = {0, 1, 0xffff, 0xffffffff, ~std::uint64_t{0}, random(), random() % 100};
        const std::uint64_t number = numbers[random() % std::size(numbers)];
        std::memcpy(bytes.data() + at, &number, random() % 2 == 0 ? 2 : 4);
        break;
      }
      case 2:
        std::memmove(bytes.data() + page, bytes.data() + random() % (bytes.size() / kPage) * kPage, kPage);
        break;
      case 3:
        std::memset(bytes.data() + at, 0, std::min<std::size_t>(random() % kPage, bytes.size() - at));
        break;
      default:
        if (random() % 8 == 0) bytes.resize(random() % bytes.size() + 2 * kPage);
    }
  }
}

void DamagedCopies(const char* path, std::uint64_t seed, std::uint64_t count) {
  const std::vector<std::byte> whole = ReadAll(path);
  std::mt19937_64 random(seed);
  const Verdict sound = CheckInPieces(whole, random);
  Expect(sound.Sound(), "the copy as it is, is sound");
  std::uint64_t refused = 0;
  std::uint64_t accepted = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::vector<std::byte> copy = whole;
    Damage(copy, random);
    const bool same = copy == whole;
    const Verdict verdict = CheckInPieces(copy, random);
    refused += verdict.Sound() ? 0 : 1;
    if (verdict.Sound() && !same) accepted += 1;
  }
  std::printf("# %lu damaged copies refused\n", refused);
  Expect(accepted == 0, "no damaged copy is sound");
}

void AFileIsOnTheDiskBeforeItHasItsName() {
  std::string directory = "/tmp/snapshot_test-XXXXXX";
  if (const char* const temporary = std::getenv("TMPDIR")) directory = std::string(temporary) + "/snapshot_test-XXXXXX";
  Expect(mkdtemp(directory.data()) != nullptr, "there is a directory for files");
  const std::string path = directory + "/file";
  asked.clear();
  {
    auto file = PartFile::Open(path, false);
    const bool written = file && file->Append(AsBytes("content")) && file->Sync() && file->Publish();
    Expect(written, "a file is written");
  }
  const std::vector<std::string> expected{"sync file", "rename", "sync directory"};
  Expect(asked == expected, "its content is on the disk before it has its name, and its name before it is told");
  {
    auto file = PartFile::Open(path, true);
    Expect(file && fchmod(file->fd(), 0644) == 0, "a part is opened up by somebody");
    const auto published = file->Publish();
    Expect(!published && published.error().number == ESTALE, "and does not get the name");
  }
  {
    auto file = PartFile::Open(path, true);
    Expect(file && unlink((path + ".part").c_str()) == 0, "a part is taken away by somebody");
    const nodecore::Descriptor other(open((path + ".part").c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    const auto published = file->Publish();
    Expect(!published && published.error().number == ESTALE, "and what is there instead does not get the name");
  }
  Expect(access((path + ".part").c_str(), F_OK) == 0, "nor is it removed");
  unlink((path + ".part").c_str());
  unlink(path.c_str());
  rmdir(directory.c_str());
}

// A leaf page with these keys, all of them without a value.
std::vector<std::byte> LeafOf(const std::vector<std::string_view>& keys) {
  std::vector<std::byte> page(4096);
  const auto store = [&](std::size_t at, std::uint32_t number, std::size_t bytes) {
    std::memcpy(page.data() + at, &number, bytes);
  };
  store(8, kLeafPage, 2);
  store(10, static_cast<std::uint32_t>(keys.size()), 2);
  std::size_t key_at = kHeaderBytes + kElementBytes * keys.size();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::size_t at = kHeaderBytes + kElementBytes * i;
    store(at + 4, static_cast<std::uint32_t>(key_at - at), 4);
    store(at + 8, static_cast<std::uint32_t>(keys[i].size()), 4);
    std::memcpy(page.data() + key_at, keys[i].data(), keys[i].size());
    key_at += keys[i].size();
  }
  return page;
}

void AKeyStandsOnceInALeaf() {
  std::vector<std::byte> packed;
  Expect(Examine(LeafOf({"a", "b", "c"}), packed).has_value(), "a leaf with its keys in order is sound");
  const auto twice = Examine(LeafOf({"a", "b", "b"}), packed);
  Expect(!twice && twice.error().kind == DefectKind::kKeyOrder && twice.error().detail == 2, "one with a key twice is not");
}

void RecordsBelongToTheirRevisions() {
  using namespace std::string_view_literals;
  const std::string_view put = "\0\0\0\0\0\0\0\5_\0\0\0\0\0\0\0\0"sv;
  const std::string_view deletion = "\0\0\0\0\0\0\0\5_\0\0\0\0\0\0\0\0t"sv;
  const auto is = [](std::string_view revision, std::string_view value) { return IsRecordOf(revision, AsBytes(value)); };
  Expect(is(put, "\x0a\1k\x10\3\x18\5\x20\2\x2a\1v"sv), "a put is of its revision");
  Expect(is(put, "\x0a\1k\x10\5\x18\5\x20\1\x30\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"sv), "and one with a lease");
  Expect(is(put, ""), "and nothing, where a restore has bumped the revision");
  Expect(is(deletion, "\x0a\1k"sv), "a deletion has the key alone");
  Expect(!is(put, "\x0a\1k\x10\3\x18\6\x20\2"sv), "a put of another revision is refused");
  Expect(!is(put, "\x0a\1k\x10\6\x18\5\x20\2"sv), "and one that was made later than written");
  Expect(!is(put, "\x0a\1k\x10\3\x18\5"sv), "and one without a version");
  Expect(!is(put, "\x10\3\x18\5\x20\2"sv), "and one without a key");
  Expect(!is(put, "\x0a\x7fk"sv), "and one that is cut off");
  Expect(!is(put, "\x0d\1k"sv) && !is(put, "\x08\1"sv), "and what is no such message");
  Expect(!is(deletion, "\x0a\1k\x10\3\x18\5\x20\2"sv), "and a put in place of a deletion");
}

// A message as gRPC frames it, with a header, what remains, a piece and a version.
std::string Message(std::uint8_t remaining, std::string_view piece) {
  std::string body("\x0a\x02\x08\x07", 4);
  if (remaining != 0) body += std::string("\x10") + static_cast<char>(remaining);
  body += '\x1a';
  for (std::size_t left = piece.size();; left >>= 7) {
    body += static_cast<char>(left < 0x80 ? left : (left & 0x7f) | 0x80);
    if (left < 0x80) break;
  }
  body += piece;
  body += "\x22\x05" "3.6.0";
  std::string prefix(1, '\0');
  for (int shift = 24; shift >= 0; shift -= 8) prefix += static_cast<char>(body.size() >> shift);
  return prefix + body;
}

void MessagesComeOutTheSame() {
  const std::string wide(70'000, 'b');
  const std::string stream = Message(100, "abc") + Message(0, "") + Message(0, wide) + Message(0, "digest");
  bool same = true;
  for (std::size_t size : {1UZ, 2UZ, 7UZ, 4096UZ, 16'384UZ, stream.size()}) {
    Messages messages;
    std::string content;
    for (std::string_view left = stream; !left.empty(); left.remove_prefix(std::min(size, left.size()))) {
      const bool taken = messages.Feed(AsBytes(left.substr(0, size)), [&](Bytes piece) {
        content.append(reinterpret_cast<const char*>(piece.data()), piece.size());
      });
      same = same && taken;
    }
    same = same && messages.whole() && messages.total() == 103 + 32 && content == "abc" + wide + "digest";
  }
  Expect(same, "the content of messages is the same however their stream is cut");
  Messages cut;
  cut.Feed(AsBytes(std::string_view(stream).substr(0, 3)), [](Bytes) {});
  Expect(!cut.whole(), "and a stream that is cut off is not whole");
}

// A message with one field: a number, or bytes.
std::string OneField(char tag, std::string_view value) {
  std::string body(1, tag);
  if (tag % 8 == 2) body += static_cast<char>(value.size());
  body += value;
  return std::string(4, '\0') + static_cast<char>(body.size()) + body;
}

void FieldsAreWhereTheLayoutSays() {
  const std::string stream = OneField(0x10, "\x64") + OneField(0x0a, "abc") + OneField(0x0a, "digest") +
                             OneField(0x1a, "of a version to come");
  bool same = true;
  for (std::size_t size : {1UZ, 4UZ, stream.size()}) {
    Messages messages({.data = 1, .remaining = 0, .total = 2});
    std::string content;
    for (std::string_view left = stream; !left.empty(); left.remove_prefix(std::min(size, left.size()))) {
      messages.Feed(AsBytes(left.substr(0, size)), [&](Bytes piece) {
        same = same && messages.total() == 100;
        content.append(reinterpret_cast<const char*>(piece.data()), piece.size());
      });
    }
    same = same && messages.whole() && content == "abcdigest";
  }
  Expect(same, "messages of another layout are taken apart, and what nobody knows is skipped");
  Messages untold({.data = 1, .remaining = 0, .total = 2});
  untold.Feed(AsBytes(OneField(0x0a, "abc")), [](Bytes) {});
  Expect(!untold.total(), "what is not told is not known");
}

void WhatIsNoMessageIsRefused() {
  const auto fault_of = [](std::string_view bytes) {
    Messages messages;
    messages.Feed(AsBytes(bytes), [](Bytes) {});
    return messages.fault();
  };
  using namespace std::string_view_literals;
  Expect(fault_of("\1"sv) == MessageFault::kCompressed, "a compressed message is refused");
  Expect(fault_of("\0\0\0\0\2\x1a\5"sv) == MessageFault::kTooLong, "so is a field longer than its message");
  Expect(fault_of("\0\0\0\0\1\x1a"sv) == MessageFault::kNoValue, "and one without a value");
  Expect(fault_of("\0\0\0\0\2\x1d\0"sv) == MessageFault::kWireType, "and one of a type that it does not have");
  Expect(fault_of("\0\0\0\0\2\2\0"sv) == MessageFault::kWireType, "and a field that has no number");
  const std::string endless = std::string("\0\0\0\0\x0c\x10", 6) + std::string(11, '\xff');
  Expect(fault_of(endless) == MessageFault::kNumber, "and a number that does not end");
}

// What a server may say first, and then one byte of it changed at a time, or anything.
void NoBytesOfAServerAreTooMuch() {
  const std::string sound =
      std::string("\0\0\0\4\0\0\0\0\0", 9) +                                  // SETTINGS
      std::string("\0\0\x03\1\4\0\0\0\1\x88\x5f\0", 12) +                     // HEADERS: 200, content-type ""
      std::string("\0\0\x05\0\0\0\0\0\1\0\0\0\0\0", 14) +                   // DATA: an empty message
      std::string("\0\0\0\0\1\0\0\0\1", 9);                                   // DATA: the end
  std::mt19937 random(7);
  std::size_t taken = 0;
  bool ends = true;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = sound;
    if (round > 0) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (round % 3 == 1) bytes.insert(random() % bytes.size(), std::string(random() % 40, static_cast<char>(random())));
    auto call = nodecore::h2::Call::Begin({"http", "127.0.0.1:1", "/x", std::string(5, '\0')}, 1 << 20);
    if (!call) continue;
    call->TakeOutput();
    const nodecore::h2::Call::Taker take = [&](Bytes content) {
      taken += content.size();
      return true;
    };
    for (std::string_view left = bytes; !left.empty() && !call->over();) {
      const std::size_t size = std::min<std::size_t>(1 + random() % 20, left.size());
      call->Feed(AsBytes(left.substr(0, size)), take);
      call->TakeOutput();
      left.remove_prefix(size);
    }
    if (round == 0) ends = call->over() && call->headers().size() == 2 && taken == 5;
  }
  Expect(ends, "an answer is taken apart");
  Expect(taken > 5, "and what is hardly one does no harm");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4) {
    DamagedCopies(argv[1], std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10));
    return failures == 0 ? 0 : 1;
  }
  ChecksumsAreThePublishedOnes();
  DigestIsThePublishedOne();
  KeysSurvivePacking();
  ShortInputIsNoDatabase();
  AThreadOfItsOwnHashesTheSame();
  MessagesComeOutTheSame();
  FieldsAreWhereTheLayoutSays();
  WhatIsNoMessageIsRefused();
  NoBytesOfAServerAreTooMuch();
  AFileIsOnTheDiskBeforeItHasItsName();
  AKeyStandsOnceInALeaf();
  RecordsBelongToTheirRevisions();
  return failures == 0 ? 0 : 1;
}
