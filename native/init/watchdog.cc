#include "watchdog.h"

#include <fcntl.h>
#include <linux/watchdog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "kmsg.h"
#include "text.h"

namespace nodecore::init {

namespace {

constexpr std::string_view kWord = "watchdog ";
constexpr std::string_view kDevice = "/dev/watchdog";
constexpr int kFewest = 1;
constexpr int kMost = 65'535;
constexpr std::string_view kArgument = "os.watchdog";
constexpr const char* kFirst = "/dev/watchdog0";
// Nobody feeds it between the first driver and the supervisor's loop, so it exceeds the slowest boot. Common hardware supports it.
constexpr int kBootSeconds = 300;
// Feedings in each timeout.
constexpr int kFeedings = 3;
// From the end of the agent to the feeding, on a machine that is slow.
constexpr Milliseconds kMargin = 5'000;
// A busy agent may miss a few heartbeats.
constexpr Milliseconds kShortest = 20'000;

}  // namespace

std::optional<WatchdogWish> ParseWatchdog(std::string_view datagram) {
  if (!datagram.starts_with(kWord)) return std::nullopt;
  datagram.remove_prefix(kWord.size());
  if (datagram == "off") return WatchdogWish{};
  const auto blank = datagram.find(' ');
  if (blank == std::string_view::npos || !datagram.starts_with(kDevice)) return std::nullopt;
  const auto device = datagram.substr(0, blank);
  // Numbers only: no path leads anywhere else.
  if (device.find_first_not_of("0123456789", kDevice.size()) != std::string_view::npos) return std::nullopt;
  const auto text = datagram.substr(blank + 1);
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < kFewest || seconds > kMost) return std::nullopt;
  return WatchdogWish{std::string(device), seconds};
}

int BootSeconds(std::string_view command_line) {
  if (Argument(command_line, "panic").and_then(Number) == 0) return 0;
  const auto given = Argument(command_line, kArgument);
  if (given == "off") return 0;
  const int seconds = given.and_then(Number).value_or(kBootSeconds);
  return seconds >= kFewest && seconds <= kMost ? seconds : kBootSeconds;
}

Milliseconds StartWith(int seconds) { return seconds == 0 ? 0 : std::max(Vouching::kStart, Milliseconds{seconds} * 1'000); }

Milliseconds PatienceWith(int seconds) {
  if (seconds == 0) return Liveness::kPatience;
  // The last feeding may be as much as one interval older than the last moment at which the agent was vouched for.
  const Milliseconds bites = Vouching::kSilence + Milliseconds{seconds} * 1'000 * (kFeedings - 1) / kFeedings;
  const Milliseconds patience = bites - Liveness::kReport - kMargin;
  return patience >= kShortest ? std::min(patience, Liveness::kPatience) : Liveness::kPatience;
}

void Watchdog::Guard(int seconds, Milliseconds now) {
  if (guarded_ || seconds == 0 || access(kFirst, F_OK) != 0) return;
  guarded_ = true;
  if (!Set({kFirst, seconds}, now).starts_with("watchdog error")) Log("%s bites when the start hangs for %d s", kFirst, set_.seconds);
}

std::string Watchdog::Set(const WatchdogWish& wish, Milliseconds now) {
  if (wish.device != set_.device) Off();
  if (wish.device.empty()) return "watchdog off";
  if (fd_ < 0) fd_ = open(wish.device.c_str(), O_RDWR | O_CLOEXEC);
  int seconds = wish.seconds;
  if (fd_ < 0 || ioctl(fd_, WDIOC_SETTIMEOUT, &seconds) != 0) {
    const std::string why = strerrorname_np(errno);
    Log("%s: %s", wish.device.c_str(), why.c_str());
    Off();
    return "watchdog error " + why;
  }
  // The hardware may have taken another one, which is the one to keep.
  ioctl(fd_, WDIOC_GETTIMEOUT, &seconds);
  set_ = {wish.device, seconds};
  ioctl(fd_, WDIOC_KEEPALIVE, 0);
  next_ = now + seconds * 1'000 / kFeedings;
  return "watchdog " + wish.device + " " + std::to_string(seconds);
}

void Watchdog::Feed(Milliseconds now, const Vouching& vouching) {
  if (vouching.Holds(now)) return Keep(now);
  if (!next_ || now < *next_) return;
  next_ = now + set_.seconds * 1'000 / kFeedings;
  Log("the agent is silent: %s is not fed", set_.device.c_str());
}

void Watchdog::Keep(Milliseconds now) {
  if (!next_ || now < *next_) return;
  next_ = now + set_.seconds * 1'000 / kFeedings;
  ioctl(fd_, WDIOC_KEEPALIVE, 0);
}

void Watchdog::Off() {
  if (fd_ < 0) return;
  // The magic close: without the letter the hardware goes on and bites.
  if (write(fd_, "V", 1) != 1) Log("%s stays armed", set_.device.c_str());
  close(fd_);
  fd_ = -1;
  set_ = {};
  next_.reset();
}

}  // namespace nodecore::init
