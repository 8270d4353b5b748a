#include "keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "files.h"

namespace nodecore::keeper {

namespace {

constexpr std::size_t kReadBytes = 64 << 10;
// The shortest interval between two notices of new log lines: a flood of lines is not one of messages.
constexpr long long kTellMs = 100;
// How long a program may take to end while the machine shuts down.
constexpr long long kTermGraceMs = 10'000;

sigset_t OurSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGPIPE}) sigaddset(&set, number);
  return set;
}

// The number after a word and a space.
std::optional<long long> NumberAfter(std::string_view line, std::string_view word) {
  if (!line.starts_with(word)) return std::nullopt;
  line.remove_prefix(word.size());
  long long number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc() || end != line.data() + line.size() || number < 0) return std::nullopt;
  return number;
}

}  // namespace

int Keeper::Run() {
  if (!Prepare()) return 1;
  while (!has_ended_) {
    Wait();
    HearSignals();
    ReadOutput();
    clients_->Hear();
    has_ended_ = program_.Reap(end_);
    if (kill_at_ && MonotonicMs() >= *kill_at_) {
      kill_at_.reset();
      program_.Signal(SIGKILL);
    }
    TellOfLog();
  }
  Conclude();
  return 0;
}

bool Keeper::Prepare() {
  const sigset_t set = OurSignals();
  sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  // Orphans of the program become children of the keeper, which ends them.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (options_.parent > 0) {
    prctl(PR_SET_PDEATHSIG, SIGUSR1);
    if (getppid() != options_.parent) return false;
  }
  int pipe[2];
  if (signals_ < 0 || pipe2(pipe, O_CLOEXEC) != 0) {
    printf("failed %d\n", errno);
    return false;
  }
  fcntl(pipe[0], F_SETFL, O_NONBLOCK);
  unlink("ended");
  if (const int number = program_.Start(options_, pipe[1])) {
    printf("failed %d\n", number);
    return false;
  }
  close(pipe[1]);
  output_ = pipe[0];
  const std::string state = std::to_string(program_.pid()) + ' ' + program_.startTime() + ' ' +
                            (options_.hash.empty() ? "-" : options_.hash) + ' ' + std::to_string(WallMs());
  clients_.emplace("running " + state + "\n", [this](std::string_view line) { Hear(line); });
  if (!clients_->Listen() || !ReplaceFile("state", state + "\n")) {
    printf("failed %d\n", errno);
    program_.Signal(SIGKILL);
    program_.EndRest();
    return false;
  }
  printf("running %s\n", state.c_str());
  fflush(stdout);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, fd);
  return true;
}

void Keeper::Wait() {
  std::vector<pollfd> fds{{signals_, POLLIN, 0}, {is_abandoned_ ? -1 : output_, POLLIN, 0}};
  clients_->Add(fds);
  std::optional<long long> next = kill_at_;
  if (has_news_) next = std::min(next.value_or(told_ms_ + kTellMs), told_ms_ + kTellMs);
  const long long wait = next ? std::clamp<long long>(*next - MonotonicMs(), 0, 60'000) : -1;
  poll(fds.data(), fds.size(), static_cast<int>(wait));
}

void Keeper::HearSignals() {
  signalfd_siginfo signal;
  while (read(signals_, &signal, sizeof signal) == sizeof signal) {
    if (signal.ssi_signo == SIGUSR1) {
      is_abandoned_ = true;
      program_.Signal(SIGKILL);
    }
    if (signal.ssi_signo == SIGTERM) Hear("stop " + std::to_string(kTermGraceMs));
  }
}

void Keeper::Hear(std::string_view line) {
  if (line == "kill") program_.Signal(SIGKILL);
  if (const auto grace = NumberAfter(line, "stop ")) {
    program_.Signal(SIGTERM);
    const long long deadline = MonotonicMs() + *grace;
    kill_at_ = std::min(kill_at_.value_or(deadline), deadline);
  }
  if (const auto number = NumberAfter(line, "signal ")) program_.Signal(static_cast<int>(*number));
}

bool Keeper::ReadOutput() {
  std::array<char, kReadBytes> bytes;
  const ssize_t size = output_ < 0 || is_abandoned_ ? -1 : read(output_, bytes.data(), bytes.size());
  if (size > 0) {
    log_.Append(std::string_view(bytes.data(), static_cast<std::size_t>(size)));
    has_news_ = true;
    return true;
  }
  if (size == 0) {
    close(output_);
    output_ = -1;
  }
  return false;
}

void Keeper::TellOfLog() {
  const long long now = MonotonicMs();
  if (!has_news_ || now < told_ms_ + kTellMs) return;
  has_news_ = false;
  told_ms_ = now;
  clients_->Tell("log\n");
}

void Keeper::Conclude() {
  program_.EndRest();
  if (is_abandoned_) return;
  // Read the rest: no process holds the other end any more.
  while (ReadOutput()) {
  }
  const std::string how = end_.signal != 0 ? "signal " + std::to_string(end_.signal) : "code " + std::to_string(end_.code);
  ReplaceFile("ended", how + ' ' + std::to_string(WallMs()) + "\n");
  // A client that hears of the end may start the program again at once, by another keeper of this directory.
  clients_->Close();
  close(lock_);
  clients_->Tell("ended " + how + "\n");
}

}  // namespace nodecore::keeper
