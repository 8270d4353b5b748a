// Threads of the core.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <system_error>
#include <thread>
#include <utility>

namespace nodecore {

// A thread on its own: it owns, or shares, everything it touches. Without signals, which are for the threads that expect
// them; a new thread inherits the mask. False when the system gives no thread.
template <typename Function>
bool SpawnDetached(Function function) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool spawned = true;
  try {
    std::thread(std::move(function)).detach();
  } catch (const std::system_error&) {
    spawned = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return spawned;
}

// The calling thread, and those it makes, let others go first where processors are short, such as the one with the event
// loop. On Linux a nice value is each thread's own (sched(7)); lowering it needs no privilege, and where it can't be, all
// is as before.
inline void GiveWay() {
  constexpr int kNice = 10;
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
}

}  // namespace nodecore
