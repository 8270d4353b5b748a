// test: checks the parts of PID 1 that run on any machine. Prints a line for each expectation.
// test ARGUMENTS [SECONDS]: runs PID 1's loop over the agent whose command line is in the file ARGUMENTS, and which may take so
//   long to start; five minutes unless given.
// test phase WORD: prints the command that PID 1 sends to a TPM.
// test orphans COUNT: leaves so many processes without a parent, all of which have ended.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "agent.h"
#include "children.h"
#include "files.h"
#include "layers.h"
#include "message.h"
#include "watchdog.h"
#include "phases.h"
#include "restart_policy.h"
#include "text.h"

namespace {

using namespace nodecore::init;

int failures = 0;

void Expect(bool condition, const char* what) {
  std::printf("%s - %s\n", condition ? "ok" : "not ok", what);
  if (!condition) failures += 1;
}

void TextsAreRead() {
  const auto lines = Lines("# why\n one \n\n\ttwo\r\nthree");
  Expect(lines == std::vector<std::string>{"one", "two", "three"}, "lines are read without blanks, comments and empty ones");
  const std::string_view words = "ro panic=1 xpanic=7 panic=0\tpanic quiet\n";
  Expect(Argument(words, "panic") == "0", "the last value of an argument wins, and other names are other arguments");
  Expect(Argument("panic", "panic") == std::nullopt && Argument("", "panic") == std::nullopt, "an argument without value has none");
  Expect(Argument("a=b=c", "a") == "b=c" && Argument("a=", "a") == "", "a value may have any sign, and may be empty");
  Expect(Number("10") == 10 && !Number("-1") && !Number("") && !Number("1s") && !Number("1234567"), "numbers are digits");
}

void LayersAreParsed() {
  const auto two = ParseLayers("/layers/schematic/\n/rootfs.sqsh\n");
  Expect(two && two->size() == 2 && (*two)[0].kind == Layer::Kind::kDirectory && (*two)[0].path == "/layers/schematic" &&
             (*two)[1].kind == Layer::Kind::kImage && (*two)[1].path == "/rootfs.sqsh",
         "directories and images are layers, top first");
  bool refused = true;
  for (const char* text : {"", "/", "rootfs.sqsh", "/rootfs.img", "/../etc/", "/a/../b.sqsh", "/rootfs.sqsh\n/other"})
    refused = refused && !ParseLayers(text);
  Expect(refused, "a list with any line that is no layer is none");
}

void MessagesAreWords() {
  Expect(ParseMessage("alive") == Message::kAlive && ParseMessage("blessed") == Message::kBlessed &&
             ParseMessage("reboot") == Message::kReboot && ParseMessage("kexec") == Message::kKexec && ParseMessage("poweroff") == Message::kPowerOff && ParseMessage("halt") == Message::kHalt,
         "every message of the agent is known");
  Expect(ParseMessage("force-reboot") == Message::kForceReboot && ParseMessage("force-poweroff") == Message::kForcePowerOff &&
             ParseMessage("force-halt") == Message::kForceHalt,
         "with those that wait for nothing");
  bool unknown = true;
  for (const std::string_view text : {"", "reboot\n", "reboots", "Reboot", "force-kexec", "force-"}) unknown = unknown && !ParseMessage(text);
  Expect(unknown && !ParseMessage(std::string_view("halt\0", 5)), "nothing else is a message");
}

void WatchdogsAreFedForAnAgentThatAnswers() {
  Expect(ParseMessage("watchdog /dev/watchdog0 60") == Message::kWatchdog && ParseMessage("watchdog off") == Message::kWatchdog,
         "a watchdog is asked for by a message");
  Expect(ParseWatchdog("watchdog /dev/watchdog 10") == WatchdogWish{"/dev/watchdog", 10}, "with its device and its seconds");
  bool unknown = true;
  for (const std::string_view text :
       {"watchdog", "watchdog ", "watchdog on", "watchdog /dev/sda 60", "watchdog /dev/watchdog0/../sda 60", "watchdog /dev/watchdog0 0",
        "watchdog /dev/watchdog0 -1", "watchdog /dev/watchdog0 60 ", "watchdog /dev/watchdog0 99999999999", "watchdog /dev/watchdog0"})
    unknown = unknown && !ParseWatchdog(text) && !ParseMessage(text);
  Expect(unknown, "and nothing else is one");
  Vouching vouching;
  vouching.Started(1'000);
  Expect(vouching.Holds(300'000) && !vouching.Holds(301'001), "an agent that starts has five minutes");
  vouching.Alive(10'000);
  Expect(vouching.Holds(25'000) && !vouching.Holds(25'001), "one that is silent for 15 s is not vouched for");
  vouching.Started(30'000);
  Expect(vouching.Holds(30'001), "until the next one starts");
  vouching.AllowStart(900'000);
  vouching.Started(0);
  Expect(vouching.Holds(900'000) && !vouching.Holds(900'001), "a slow machine has longer");
  vouching.AllowStart(0);
  Expect(vouching.Holds(300'000) && !vouching.Holds(300'001), "and one that is to stay as it is no watchdog for ever");
  Expect(PatienceWith(0) == 60'000 && PatienceWith(300) == 60'000, "an agent may be silent for a minute");
  bool isInTime = true;
  for (int seconds = 30; seconds <= 65'535; ++seconds) {
    // Fed for the last time, in the worst case, one interval before the agent is no longer vouched for.
    const Milliseconds bites = 15'000 - Milliseconds{seconds} * 1'000 / 3 + Milliseconds{seconds} * 1'000;
    const Milliseconds patience = PatienceWith(seconds);
    isInTime = isInTime && patience > 15'000 && patience <= 60'000 && patience + Liveness::kReport + 4'999 <= bites;
  }
  Expect(isInTime, "and no longer than a watchdog allows that is to stay quiet");
  Expect(PatienceWith(29) == 60'000 && PatienceWith(10) == 60'000, "one that bites sooner is first");
  Watchdog watchdog;
  watchdog.Hurry(1'000);
  Expect(!watchdog.Deadline() && watchdog.seconds() == 0, "what is not there is not fed");
  Expect(watchdog.Set({}, 0) == "watchdog off" && !watchdog.Deadline(), "none is none");
  Expect(watchdog.Set({"/dev/watchdog999", 60}, 0) == "watchdog error ENOENT" && !watchdog.Deadline(), "one that is not there is told");
}

void StartsAreGuarded() {
  Expect(BootSeconds("ro quiet") == 300, "a start may be silent for five minutes");
  Expect(BootSeconds("os.watchdog=20 quiet") == 20, "or as long as the command line says");
  Expect(BootSeconds("os.watchdog=off") == 0 && BootSeconds("os.watchdog=20 panic=0") == 0, "or for ever, where it is to stay as it is");
  Expect(BootSeconds("os.watchdog=20 panic=10") == 20, "a machine that begins anew after a panic is none of those");
  bool usual = true;
  for (const char* text : {"os.watchdog=", "os.watchdog=0", "os.watchdog=-1", "os.watchdog=70000", "os.watchdog=1m", "os.watchdog=OFF"})
    usual = usual && BootSeconds(text) == 300;
  Expect(usual, "a mistake changes nothing");
  Expect(StartWith(300) == 300'000 && StartWith(20) == 300'000 && StartWith(900) == 900'000, "an agent has as long to start, and five minutes at least");
  Expect(StartWith(0) == 0, "without a limit it has none");
}

void DeathsHaveConsequences() {
  RestartPolicy policy;
  Milliseconds now = 0;
  bool grows = true;
  for (const Milliseconds delay : {1'000, 2'000, 4'000, 8'000}) grows = grows && policy.Died(now, now + 10) == delay && (now += 10'000);
  Expect(grows, "the delay doubles");
  Expect(!policy.Died(now, now + 10), "the fifth death within ten minutes ends a boot that has not proven itself");

  RestartPolicy slow;
  bool never = true;
  for (int i = 0; i < 20; ++i) never = never && slow.Died(i * 151'000, (i + 1) * 151'000) == 1'000;
  Expect(never, "an agent that ran for a minute is started again after a second, and deaths far apart end nothing");

  RestartPolicy blessed;
  blessed.Bless();
  std::optional<Milliseconds> delay;
  for (int i = 0; i < 100; ++i) delay = blessed.Died(i, i);
  Expect(delay == RestartPolicy::kLongestDelay, "a blessed boot goes on, with the longest delay");

  RestartPolicy silent;
  Expect(!silent.Deadline(), "before an agent runs none is missed");
  silent.Began(1'000, 300'000);
  Expect(silent.Deadline() == 901'000, "a boot in which no agent is heard ends after a quarter of an hour");
  Expect(silent.Died(1'000, 301'000) && silent.Died(302'000, 602'000) && silent.Deadline() == 901'000, "whatever dies meanwhile");
  silent.Alive(650'000);
  Expect(silent.Deadline() == 1'550'000, "the time begins anew with each heartbeat");
  silent.Bless();
  Expect(!silent.Deadline(), "a blessed boot goes on without any");
  RestartPolicy patient;
  patient.Began(1'000, 0);
  Expect(!patient.Deadline(), "and so does one that may take as long as it needs");
}

void SilenceIsHeard() {
  Liveness liveness;
  liveness.Started(500);
  Expect(!liveness.Deadline() && liveness.Judge(1'000'000) == Liveness::Verdict::kWell, "without a limit an agent may take its time to start");
  liveness.Alive(1'000);
  Expect(liveness.Deadline() == 61'000 && liveness.Judge(60'999) == Liveness::Verdict::kWell, "a minute of silence is allowed");
  Expect(liveness.Judge(61'000) == Liveness::Verdict::kAbort && liveness.Judge(61'001) == Liveness::Verdict::kWell,
         "then it is aborted, once");
  Expect(liveness.Judge(71'000) == Liveness::Verdict::kKill && !liveness.Deadline(), "and killed when that does not end it");
  Expect(liveness.aborted(), "which is known afterwards");
  liveness.Allow(20'000);
  liveness.Ended();
  Expect(!liveness.Deadline() && !liveness.aborted(), "nobody is waited for while none runs");
  liveness.AllowStart(300'000);
  Expect(!liveness.Deadline(), "also where a start has a limit");
  liveness.Started(90'000);
  Expect(liveness.Deadline() == 390'000 && liveness.limit() == 300'000, "the next one has that long to its first heartbeat");
  Expect(liveness.Judge(389'999) == Liveness::Verdict::kWell && liveness.Judge(390'000) == Liveness::Verdict::kAbort &&
             liveness.Judge(400'000) == Liveness::Verdict::kKill,
         "and ends as one that has fallen silent");
  liveness.Started(95'000);
  liveness.Alive(100'000);
  Expect(liveness.Deadline() == 120'000 && liveness.limit() == 20'000, "and may be silent for as long as is allowed by then");
}

void WorkThatHangsIsLeft(const std::filesystem::path& directory) {
  int looks = 0;
  const auto look = [&looks] { looks += 1; };
  const auto write = [&](const char* name) { return [path = directory / name] { WriteFile(path, "done"); }; };
  Expect(InChildren({write("one"), write("two")}, 60'000, look), "work that ends is done");
  Expect(ReadFile(directory / "one") == "done" && ReadFile(directory / "two") == "done", "each piece of it");
  Expect(InChildren({}, 0, look), "and none is done at once");
  const auto began = Now();
  const auto hangs = [] {
    for (;;) pause();
  };
  Expect(!InChildren({hangs, write("three"), hangs}, 500, look), "work that hangs is not waited for");
  Expect(Now() - began >= 500 && looks > 1, "longer than it may take, and PID 1 looks after the machine meanwhile");
  Expect(ReadFile(directory / "three") == "done", "other work is done all the same");
  int status = 0;
  Expect(waitpid(-1, &status, 0) > 0 && WIFSIGNALED(status) && waitpid(-1, &status, 0) > 0 && WIFSIGNALED(status),
         "and what hangs is killed");
  for (const char* const name : {"one", "two", "three"}) std::filesystem::remove(directory / name);
  const SharedTime time(300'000, 10'000);
  Expect(time.Left(0) == 300'000 && time.Left(200'000) == 100'000, "work that comes later has what is left");
  Expect(time.Left(295'000) == 10'000 && time.Left(500'000) == 10'000, "and some time where nothing is");
}

// Its own children, which nobody has waited for when it ends.
int LeaveOrphans(int count) {
  for (int i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) _exit(0);
  }
  return 0;
}

void PhasesAreCommands() {
  const auto command = PcrEventCommand(11, "enter-initrd");
  const std::vector<std::uint8_t> expected = {
      0x80, 0x02, 0, 0, 0, 41, 0, 0, 0x01, 0x3c, 0, 0, 0, 11, 0, 0, 0, 9, 0x40, 0, 0, 9, 0, 0, 0, 0, 0,
      0, 12, 'e', 'n', 't', 'e', 'r', '-', 'i', 'n', 'i', 't', 'r', 'd'};
  Expect(command == expected, "a phase is TPM2_PCR_Event with an empty password and without a NUL");
  const std::vector<std::uint8_t> failed = {0x80, 0x01, 0, 0, 0, 10, 0, 0, 0x01, 0x01};
  Expect(ResponseCode(failed) == 0x101u, "the response code is read");
  Expect(!ResponseCode(std::span(failed).first(9)) && !ResponseCode({}), "half an answer is none");
}

void TreesAreCopied(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory / "from/usr/local");
  std::ofstream(directory / "from/usr/local/file") << "content";
  std::filesystem::permissions(directory / "from/usr/local/file", std::filesystem::perms{0640});
  std::filesystem::create_symlink("local/file", directory / "from/usr/link");
  Expect(CopyTree(directory / "from", directory / "to"), "a tree is copied");
  Expect(ReadFile(directory / "to/usr/link") == "content" && std::filesystem::is_symlink(directory / "to/usr/link"), "with its links");
  Expect(std::filesystem::status(directory / "to/usr/local/file").permissions() == std::filesystem::perms{0640}, "and its modes");
  Expect(!CopyTree(directory / "missing", directory / "other"), "what is not there can't be");
  RemoveBelow(directory);
  Expect(std::filesystem::is_empty(directory), "all below a directory is removed");
}

}  // namespace

// supervised.cc
namespace nodecore::init {
[[noreturn]] void Supervise(const char* arguments, Milliseconds start);
}

int main(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (argc == 3 && first == "orphans") return LeaveOrphans(atoi(argv[2]));
  if (argc > 1 && first != "phase") Supervise(argv[1], argc == 3 ? Milliseconds{1'000} * atoi(argv[2]) : StartWith(300));
  if (argc == 3) {
    const auto command = PcrEventCommand(kPhaseRegister, argv[2]);
    return fwrite(command.data(), 1, command.size(), stdout) == command.size() ? 0 : 1;
  }
  std::string name = std::filesystem::temp_directory_path() / "nodecore-init-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) return 2;
  TextsAreRead();
  LayersAreParsed();
  MessagesAreWords();
  WatchdogsAreFedForAnAgentThatAnswers();
  StartsAreGuarded();
  DeathsHaveConsequences();
  SilenceIsHeard();
  PhasesAreCommands();
  WorkThatHangsIsLeft(name);
  TreesAreCopied(name);
  std::filesystem::remove_all(name);
  return failures == 0 ? 0 : 1;
}
