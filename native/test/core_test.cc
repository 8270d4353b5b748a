// The core without JavaScript: a plain program, so that sanitizers and debuggers need no Node around it.

#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "cgroupfs/column.h"
#include "cgroupfs/pressure_trigger.h"
#include "cgroupfs/tree.h"
#include "inotify/inotify.h"
#include "probe/probe_queue.h"
#include "probe/siphash.h"
#include "uevent/uevent_socket.h"

namespace {

int failures = 0;

void Expect(bool condition, const char* what) {
  std::printf("%s - %s\n", condition ? "ok" : "not ok", what);
  if (!condition) failures += 1;
}

std::size_t OpenDescriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) count += 1;
  return count;
}

using nodecore::probe::ProbeQueue;
using nodecore::probe::Result;
using nodecore::probe::Task;

std::expected<Result, nodecore::SysError> Probe(ProbeQueue& queue, Task task) {
  queue.Submit(1, std::move(task));
  pollfd ready{queue.fd(), POLLIN, 0};
  poll(&ready, 1, 10'000);
  auto replies = queue.Receive();
  if (replies.size() != 1) return std::unexpected(nodecore::SysError{"poll", ETIMEDOUT});
  return std::move(replies[0].result);
}

void SipHashMatchesItsPublishedVector() {
  // The paper's key 00..0f; messages of whole words from the reference implementation's 128-bit vectors.
  nodecore::probe::SipHash eight({0x0706050403020100, 0x0f0e0d0c0b0a0908});
  eight.Add(0x0706050403020100);
  const auto digest = eight.Finish();
  Expect(digest[0] == 0x61f55862baa9623b && digest[1] == 0xb49714f364e2830f,
         "SipHash-2-4-128 of a word is the published one");
  nodecore::probe::SipHash empty({0x0706050403020100, 0x0f0e0d0c0b0a0908});
  const auto none = empty.Finish();
  Expect(none[0] == 0xe6a825ba047f81a3 && none[1] == 0x930255c71472f66d, "SipHash-2-4-128 of nothing is the published one");
}

void InotifyReportsAClosedWriter(const std::filesystem::path& directory) {
  auto inotify = nodecore::inotify::Inotify::Open();
  Expect(inotify.has_value(), "an inotify instance opens");
  const auto file = directory / "device";
  std::ofstream(file).put('a');
  const auto watch = inotify->Add(file, IN_CLOSE_WRITE);
  Expect(watch.has_value(), "a file can be watched");
  std::ofstream(file).put('b');
  const auto events = inotify->Receive();
  Expect(events && events->size() == 1 && events->front().watch == *watch, "closing a writer is reported once");
  Expect(inotify->Remove(*watch).has_value() && inotify->Remove(*watch).has_value(), "removing twice is fine");
  Expect(!inotify->Add(directory / "missing", IN_CLOSE_WRITE).has_value(), "a missing file can't be watched");
}

// The header page of a swap area, version 1.
void WriteSwapHeader(const std::filesystem::path& file) {
  std::fstream stream(file);
  const std::uint32_t words[] = {1, 255};
  stream.seekp(1024).write(reinterpret_cast<const char*>(words), sizeof words);
  stream.seekp(4086).write("SWAPSPACE2", 10);
}

void ProbesAreRepeatedOnlyWhenBytesChanged(const std::filesystem::path& directory) {
  const auto file = directory / "disk";
  std::ofstream(file).put('x');
  std::filesystem::resize_file(file, 1 << 20);
  auto queue = ProbeQueue::Open(2);
  Expect(queue.has_value(), "a probe queue opens");

  Task task;
  task.path = file;
  const auto blank = Probe(*queue, task);
  Expect(blank && blank->outcome == Result::Outcome::kJudged && blank->size_bytes == 1 << 20, "a file is probed");
  Expect(blank && blank->judgement->verdict && blank->judgement->verdict->empty(), "nothing is recognised in zeros");
  Expect(blank && !blank->rests_on, "without a digest there is nothing to rest on");

  task.windows = {{0, 8192}};
  task.digest = true;
  const nodecore::Descriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  const auto digest = nodecore::probe::DigestWindows(descriptor.get(), 1 << 20, task.windows);
  task.known = *digest;
  const auto same = Probe(*queue, task);
  Expect(same && same->outcome == Result::Outcome::kUnchanged, "known bytes are not judged again");

  WriteSwapHeader(file);
  const auto changed = Probe(*queue, task);
  Expect(changed && changed->outcome == Result::Outcome::kJudged && changed->judgement->signatures.size() == 1,
         "other bytes are");

  task.path = directory / "missing";
  const auto failure = Probe(*queue, task);
  Expect(!failure && failure.error().number == ENOENT, "a missing file is an error with its errno");
  Expect(!queue->Replace(7), "the thread of a task that does not run can't be replaced");
}

// Sends what looks like an announcement to everybody who listens for them. Only the superuser may.
bool Forge(int times) {
  const nodecore::Descriptor sender(socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT));
  sockaddr_nl group{};
  group.nl_family = AF_NETLINK;
  group.nl_groups = 1;
  const std::string message = "add@/devices/forged" + std::string(500, ' ');
  for (int i = 0; i < times; ++i) {
    const ssize_t sent = sendto(sender.get(), message.data(), message.size(), 0,
                                reinterpret_cast<const sockaddr*>(&group), sizeof group);
    // The sender hears of receivers that are full, too.
    if (sent < 0 && errno != ENOBUFS) return false;
  }
  return true;
}

void UeventSocketHearsOnlyTheKernel() {
  auto socket = nodecore::uevent::UeventSocket::Open(1 << 20);
  Expect(socket.has_value(), "a uevent socket opens");
  const auto idle = socket->Receive();
  Expect(idle.has_value() && !idle->overflowed, "an idle socket has nothing to say");
  if (!Forge(1)) {
    Expect(errno == EPERM, "only the superuser may forge announcements");
    return;
  }
  const auto batch = socket->Receive();
  bool forged = false;
  for (const auto& message : batch->messages) forged = forged || message.find("forged") != std::string::npos;
  Expect(batch.has_value() && !forged, "what another process announces is dropped");

  auto small = nodecore::uevent::UeventSocket::Open(4096);
  Forge(100);
  const auto lost = small->Receive();
  Expect(lost.has_value() && lost->overflowed, "lost announcements are reported as an overflow");
  const auto after = small->Receive();
  Expect(after.has_value() && !after->overflowed, "an overflow is reported once, and the socket goes on");
}

using nodecore::cgroupfs::Cell;
using nodecore::cgroupfs::CellState;
using nodecore::cgroupfs::ParseColumn;

bool Is(Cell cell, std::uint64_t value) { return cell.state == CellState::kValue && cell.value == value; }

void ColumnsAreTheNumbersOfTheText() {
  Expect(Is(ParseColumn("12\n", "", ""), 12) && Is(ParseColumn("max 100000\n", "", "1"), 100000), "words of the first line are columns");
  Expect(ParseColumn("max 100000\n", "", "0").state == CellState::kMax, "max is no number");
  const std::string_view stat = "usage_usec 7\nuser_usec 18446744073709551615\n";
  Expect(Is(ParseColumn(stat, "user_usec", ""), UINT64_MAX), "64 bits fit");
  const std::string_view pressure = "some avg10=1.05 avg60=0.00 avg300=0.00 total=9\n";
  Expect(Is(ParseColumn(pressure, "some", "avg10"), 105) && Is(ParseColumn(pressure, "some", "total"), 9),
         "pairs of a line are columns, fractions in hundredths");
  Expect(Is(ParseColumn("1\n22\n", "#", ""), 2) && Is(ParseColumn("", "#", ""), 0), "lines are counted");
  bool absent = true;
  for (const char* text : {"", "\n", "x", "-", "1x", "1.5", "1.555", "1.5x", "18446744073709551616", "184467440737095517.00", " 1", "\t1"}) {
    absent = absent && ParseColumn(text, "", "").state == CellState::kAbsent;
  }
  Expect(absent, "what is no number is absent");
  Expect(ParseColumn(pressure, "full", "total").state == CellState::kAbsent &&
             ParseColumn(pressure, "some", "tota").state == CellState::kAbsent,
         "what is not there is absent");
}

void TreesAreReadAgainWithWhatIsOpen(const std::filesystem::path& directory) {
  const auto root = directory / "tree";
  for (int i = 0; i < 200; ++i) {
    std::filesystem::create_directories(root / std::to_string(i));
    std::ofstream(root / std::to_string(i) / "file") << i << '\n';
  }
  Expect(!nodecore::cgroupfs::Tree::Open(root, false).has_value(), "another filesystem is refused");
  auto tree = nodecore::cgroupfs::Tree::Open(root, true);
  const std::atomic<bool> running = false;
  const std::atomic<bool> cancelled = true;
  nodecore::cgroupfs::Request request;
  request.every_file = true;
  request.most_held = 150;
  for (int round = 0; round < 3; ++round) {
    const auto scan = (*tree)->Read(request, running);
    Expect(scan && scan->order.size() == 201 && scan->entries.size() == 200 && scan->held <= 150, "a scan finds everything within its limit");
  }
  Expect(!(*tree)->Read(request, cancelled).has_value(), "a cancelled scan fails");
  std::filesystem::remove_all(root / "7");
  const auto after = (*tree)->Read(request, running);
  Expect(after && after->order.size() == 200 && after->gone.size() == 1, "what is gone is told");
  request.most_held = 0;
  const auto without = (*tree)->Read(request, running);
  Expect(without && without->held == 0 && without->entries.size() == 199, "a limit of none closes everything");
  std::filesystem::remove_all(root);
  Expect(!(*tree)->Read(request, running).has_value(), "a root that is gone is told");
}

void TriggersThatCannotBeAreRefused(const std::filesystem::path& directory) {
  const auto missing = nodecore::cgroupfs::PressureTrigger::Open(directory / "cpu", "some 1 2000000");
  Expect(!missing && missing.error().number == ENOENT, "a pressure file that is not there is told");
}

}  // namespace

int main() {
  std::string name = std::filesystem::temp_directory_path() / "nodecore-core-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) return 2;
  const std::size_t before = OpenDescriptors();
  SipHashMatchesItsPublishedVector();
  InotifyReportsAClosedWriter(name);
  ProbesAreRepeatedOnlyWhenBytesChanged(name);
  UeventSocketHearsOnlyTheKernel();
  ColumnsAreTheNumbersOfTheText();
  TreesAreReadAgainWithWhatIsOpen(name);
  TriggersThatCannotBeAreRefused(name);
  std::filesystem::remove_all(name);
  // A reader's threads end on their own, a moment after it; the last one closes the eventfd they share.
  for (int i = 0; i < 5000 && OpenDescriptors() != before; ++i) usleep(1000);
  Expect(OpenDescriptors() == before, "no descriptor is left");
  return failures == 0 ? 0 : 1;
}
