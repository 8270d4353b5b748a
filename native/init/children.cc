#include "children.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "agent.h"

namespace nodecore::init {

namespace {

constexpr int kLook = 50;

}  // namespace

bool InChildren(const std::vector<std::function<void()>>& works, Milliseconds limit, const std::function<void()>& look) {
  const Milliseconds deadline = Now() + limit;
  std::vector<pid_t> children;
  for (const auto& work : works) {
    const pid_t child = fork();
    if (child == 0) {
      work();
      _exit(0);
    }
    if (child > 0) children.push_back(child);
    if (child < 0) work();
  }
  for (;;) {
    // A child that is waited for by nobody else: also one that is gone has ended.
    std::erase_if(children, [](pid_t child) { return waitpid(child, nullptr, WNOHANG) != 0; });
    if (children.empty()) return true;
    if (Now() >= deadline) break;
    look();
    poll(nullptr, 0, kLook);
  }
  for (const pid_t child : children) kill(child, SIGKILL);
  return false;
}

}  // namespace nodecore::init
