#include "agent.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "files.h"
#include "text.h"

namespace nodecore::init {

namespace {

constexpr int kChannelInAgent = 3;
constexpr std::size_t kLongestMessage = 256;

// NODE_OPTIONS and GLIBC_TUNABLES keep the agent small; they are those of its unit.
constexpr std::array kEnvironment = {
    "GLIBC_TUNABLES=glibc.malloc.arena_max=2:glibc.malloc.mmap_threshold=262144:glibc.malloc.trim_threshold=262144",
    "HOME=/",
    "LANG=C.UTF-8",
    "NODECORE_INIT_FD=3",
    "NODECORE_KEEPER=/usr/lib/nodeos/keeper",
    "NODECORE_TETHER=/usr/lib/nodeos/tether",
    "NODE_COMPILE_CACHE=/usr/lib/nodeos/compile-cache",
    "NODE_OPTIONS=--max-semi-space-size=2",
    "PATH=/usr/bin:/usr/sbin",
};

[[noreturn]] void Become(const std::vector<std::string>& words, const std::string& former_end, int channel, int output) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> environment;
  for (const char* const word : kEnvironment) environment.push_back(const_cast<char*>(word));
  if (!former_end.empty()) environment.push_back(const_cast<char*>(former_end.c_str()));
  environment.push_back(nullptr);

  setsid();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  dup2(channel, kChannelInAgent);
  if (null > kChannelInAgent) close(null);
  execve(arguments[0], arguments.data(), environment.data());
  dprintf(STDERR_FILENO, "%s: %s\n", arguments[0], strerror(errno));
  _exit(127);
}

// Moves descriptors above those of the agent: dup2(2) onto itself would leave close-on-exec set.
int Above(int fd) {
  const int copy = fcntl(fd, F_DUPFD_CLOEXEC, kChannelInAgent + 1);
  close(fd);
  return copy;
}

}  // namespace

Milliseconds Now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return Milliseconds{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

bool Agent::Start() {
  const auto words = Lines(ReadFile(arguments_).value_or(""));
  int pair[2];
  int pipe[2];
  if (words.empty() || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0 || pipe2(pipe, O_CLOEXEC) != 0) {
    Log("the agent can't be started: %s", words.empty() ? arguments_ : strerror(errno));
    return false;
  }
  for (int* const fd : {&pair[0], &pair[1], &pipe[0], &pipe[1]}) *fd = Above(*fd);
  fcntl(pair[0], F_SETFL, O_NONBLOCK);
  fcntl(pipe[0], F_SETFL, O_NONBLOCK);
  pid_ = fork();
  if (pid_ == 0) Become(words, former_end_, pair[1], pipe[1]);
  close(pair[1]);
  close(pipe[1]);
  channel_ = pair[0];
  output_ = pipe[0];
  started_ = Now();
  if (pid_ < 0) Log("fork: %s", strerror(errno));
  return pid_ > 0;
}

void Agent::Ended() {
  ReadOutput();
  lines_.Flush();
  for (int* const fd : {&channel_, &output_}) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
  pid_ = -1;
}

std::optional<Message> Agent::Receive() {
  std::array<char, kLongestMessage> datagram;
  while (channel_ >= 0) {
    const ssize_t size = recv(channel_, datagram.data(), datagram.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return std::nullopt;
    if (size <= 0) {
      // The agent closed its end. Its death arrives separately, as SIGCHLD.
      close(channel_);
      channel_ = -1;
      return std::nullopt;
    }
    const std::string_view word(datagram.data(), static_cast<std::size_t>(size));
    if (const auto wish = ParseWatchdog(word)) wish_ = *wish;
    if (const auto message = ParseMessage(word)) return message;
    Log("the agent says what is not known here: %.40s", std::string(word).c_str());
  }
  return std::nullopt;
}

bool Agent::Send(std::string_view word) {
  return channel_ >= 0 && send(channel_, word.data(), word.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(word.size());
}

void Agent::ReadOutput() {
  std::array<char, 16384> bytes;
  while (output_ >= 0) {
    const ssize_t size = read(output_, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return;
    if (size == 0) {
      close(output_);
      output_ = -1;
      return;
    }
    lines_.Feed(std::string_view(bytes.data(), static_cast<std::size_t>(size)));
  }
}

void Agent::Signal(int number) {
  if (pid_ > 0) kill(pid_, number);
}

}  // namespace nodecore::init
