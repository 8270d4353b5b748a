#include "modules.h"

#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "fatal.h"
#include "files.h"
#include "kmsg.h"
#include "text.h"

namespace nodecore::init {

namespace {

constexpr const char* kModprobe = "/usr/sbin/modprobe";
// Passes: a controller, its bus, a disk, and a last one that finds nothing new.
constexpr int kMostRounds = 4;
constexpr int kLook = 100;

std::vector<std::string> Aliases(const char* pattern) {
  std::vector<std::string> found;
  glob_t files{};
  glob(pattern, GLOB_NOSORT, nullptr, &files);
  for (std::size_t i = 0; i < files.gl_pathc; ++i)
    for (auto& alias : Lines(ReadFile(files.gl_pathv[i]).value_or(""))) found.push_back(std::move(alias));
  globfree(&files);
  return found;
}

// modprobe resolves each name with its dependencies and skips modules that are loaded.
pid_t StartModprobe(const std::vector<std::string>& words) {
  std::vector<char*> arguments{const_cast<char*>(kModprobe), const_cast<char*>("-a"), const_cast<char*>("-b"),
                               const_cast<char*>("-q")};
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  // Aliases without a module are normal: not every device needs one.
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  execv(kModprobe, arguments.data());
  _exit(127);
}

// Waits for a child and calls look every 100 ms meanwhile.
int Await(pid_t child, const std::function<void()>& look) {
  const int ended = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  pollfd news{ended, POLLIN, 0};
  while (ended >= 0 && poll(&news, 1, kLook) == 0) look();
  if (ended >= 0) close(ended);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

void Load(const std::vector<std::string>& words, const std::function<void()>& look) {
  const auto processors = static_cast<std::size_t>(std::clamp(sysconf(_SC_NPROCESSORS_ONLN), 1L, 8L));
  std::vector<std::vector<std::string>> shares(processors);
  for (std::size_t i = 0; i < words.size(); ++i) shares[i % processors].push_back(words[i]);
  std::vector<pid_t> children;
  for (const auto& share : shares)
    if (!share.empty()) children.push_back(StartModprobe(share));
  for (const pid_t child : children) {
    const int status = Await(child, look);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) Log("%s can't be started", kModprobe);
  }
}

}  // namespace

void InsertEarlyModules() {
  for (const auto& path : Lines(ReadFile("/modules.list").value_or(""))) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) Fatal("module %s: %s", path.c_str(), strerror(errno));
    if (syscall(SYS_finit_module, file, "", 0) != 0 && errno != EEXIST) Fatal("module %s: %s", path.c_str(), strerror(errno));
    close(file);
  }
}

void LoadModules(const std::function<void()>& look) {
  std::vector<std::string> words = Lines(ReadFile("/usr/lib/nodeos/modules.list").value_or(""));
  std::set<std::string> asked;
  for (int round = 0; round < kMostRounds; ++round) {
    for (auto& alias : Aliases("/sys/bus/*/devices/*/modalias"))
      if (asked.insert(alias).second) words.push_back(std::move(alias));
    if (words.empty()) break;
    Load(words, look);
    look();
    words.clear();
  }
  // Self-tests of this processor's ciphers take seconds under emulation. Do not wait for them: a program that needs a cipher
  // earlier has the kernel load it. The process is reaped like any other.
  if (const auto ciphers = Aliases("/sys/devices/system/cpu/modalias"); !ciphers.empty()) StartModprobe(ciphers);
}

}  // namespace nodecore::init
