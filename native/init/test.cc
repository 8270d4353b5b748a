// test: checks the parts of PID 1 that run on any machine. Prints a line for each expectation.
// test ARGUMENTS: runs PID 1's loop over the agent whose command line is in the file ARGUMENTS.
// test phase WORD: prints the command that PID 1 sends to a TPM.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

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
  bool unknown = true;
  for (const std::string_view text : {"", "reboot\n", "reboots", "Reboot"}) unknown = unknown && !ParseMessage(text);
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
  Watchdog watchdog;
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
}

void SilenceIsHeard() {
  Liveness liveness;
  Expect(!liveness.Deadline() && liveness.Judge(1'000'000) == Liveness::Verdict::kWell, "an agent that starts may take its time");
  liveness.Alive(1'000);
  Expect(liveness.Deadline() == 61'000 && liveness.Judge(60'999) == Liveness::Verdict::kWell, "a minute of silence is allowed");
  Expect(liveness.Judge(61'000) == Liveness::Verdict::kAbort && liveness.Judge(61'001) == Liveness::Verdict::kWell,
         "then it is aborted, once");
  Expect(liveness.Judge(71'000) == Liveness::Verdict::kKill && !liveness.Deadline(), "and killed when that does not end it");
  liveness.Started();
  Expect(!liveness.Deadline(), "the next one begins anew");
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
[[noreturn]] void Supervise(const char* arguments);
}

int main(int argc, char** argv) {
  if (argc == 2) Supervise(argv[1]);
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
  TreesAreCopied(name);
  std::filesystem::remove_all(name);
  return failures == 0 ? 0 : 1;
}
