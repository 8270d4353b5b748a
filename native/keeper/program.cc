#include "program.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "files.h"
#include "view.h"

namespace nodecore::keeper {

namespace {

// A short sleep that lets other processes run.
void Pause() {
  const timespec wait{0, 2'000'000};
  nanosleep(&wait, nullptr);
}

// @returns 0, or the errno of the call that failed.
int Confine(const Options& options) {
  if (!options.cgroup.empty() && !WriteFile(options.cgroup + "/cgroup.procs", "0")) return errno;
  if (options.files > 0) {
    const rlimit limit{options.files, options.files};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return errno;
  }
  // Where the kernel refuses, the program keeps the default.
  if (options.oom) WriteFile("/proc/self/oom_score_adj", std::to_string(*options.oom));
  return 0;
}

[[noreturn]] void Become(const Options& options, pid_t keeper, int output, int refused) {
  const auto refuse = [refused](int number) {
    WriteAll(refused, {reinterpret_cast<const char*>(&number), sizeof number});
    _exit(127);
  };
  // A session of its own: signals of the agent's terminal do not reach it.
  setsid();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(1);  // the keeper died before PR_SET_PDEATHSIG
  const int null = open("/dev/null", O_RDONLY);
  if (const int number = Confine(options)) refuse(number);
  if (const int number = EnterView(options)) refuse(number);
  if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
    refuse(errno);
  std::vector<char*> words;
  for (const auto& word : options.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  if (chdir("/") != 0) refuse(errno);
  // Last: what is behind it are the program's own calls.
  if (const int number = RefuseCalls(options.refusals)) refuse(number);
  execvp(words[0], words.data());
  refuse(errno);
  abort();
}

}  // namespace

int Program::Start(const Options& options, int output) {
  cgroup_ = options.cgroup;
  int refused[2];
  if (pipe2(refused, O_CLOEXEC) != 0) return errno;
  const pid_t keeper = getpid();
  pid_ = fork();
  if (pid_ == 0) Become(options, keeper, output, refused[1]);
  const int failed = errno;
  close(refused[1]);
  if (pid_ < 0) {
    close(refused[0]);
    return failed;
  }
  int number = 0;
  ssize_t size;
  do size = read(refused[0], &number, sizeof number);
  while (size < 0 && errno == EINTR);
  close(refused[0]);
  if (size == sizeof number) {
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
    return number;
  }
  start_time_ = StartTime(pid_);
  return 0;
}

void Program::Signal(int number) const {
  // The id cannot be reused before the process is reaped.
  if (pid_ > 0) kill(pid_, number);
}

bool Program::Reap(End& end) {
  bool isEnded = false;
  int status = 0;
  pid_t child;
  while ((child = waitpid(-1, &status, WNOHANG)) > 0) {
    if (child != pid_) continue;
    isEnded = true;
    pid_ = -1;
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
  }
  return isEnded;
}

void Program::EndRest() const {
  // Orphans become children of the keeper, generation by generation. A cgroup kills all at once, even those that are forking.
  const std::string children = "/proc/self/task/" + std::to_string(getpid()) + "/children";
  for (;;) {
    if (!cgroup_.empty()) WriteFile(cgroup_ + "/cgroup.kill", "1");
    const std::string list = ReadAll(children);
    for (const char* at = list.c_str(); *at != '\0';) {
      char* next = nullptr;
      const long pid = strtol(at, &next, 10);
      if (next == at) break;
      if (pid > 0) kill(static_cast<pid_t>(pid), SIGKILL);
      at = next;
    }
    const pid_t gone = waitpid(-1, nullptr, WNOHANG);
    if (gone < 0 && errno == ECHILD) return;
    if (gone == 0) Pause();
  }
}

}  // namespace nodecore::keeper
