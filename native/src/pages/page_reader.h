// Runs page tasks on threads of its own, because a device may hang: a call that never returns would take a thread of
// libuv's pool with it, of which there are four for everything the process does, and would keep the process from
// ending. These threads are detached; one that hangs costs its stack and nothing else.
//
// Owns: the queue and the eventfd, shared with the threads, which may outlive the reader; and every descriptor that it
// lent and has not got back.
// Threads: as many as asked for, plus one for each that hangs. Call the reader from one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "core/sys_error.h"
#include "pages/page_task.h"

namespace nodecore::pages {

struct Reply {
  std::uint32_t id;
  // The descriptor in `Opened` is never set here: `lent` is.
  std::variant<SysError, Opened, CachedPages> result;
  // The reader's, for use until SubmitClose; -1 when nothing stays open.
  int lent = -1;
};

class PageReader {
 public:
  static std::expected<PageReader, SysError> Open(unsigned threads);

  PageReader(PageReader&&) noexcept = default;
  PageReader& operator=(PageReader&&) = delete;
  ~PageReader();

  void Submit(std::uint32_t id, OpenTask task);
  // Takes a lent descriptor back, and is answered with what was cached at the end.
  void SubmitClose(std::uint32_t id, int lent);

  // Does no longer wait for a task: another thread takes the place of the one that runs it. The answer comes
  // nevertheless, whenever that is. False when the task does not run (any more), or no thread can be had.
  bool Abandon(std::uint32_t id);

  std::vector<Reply> Receive();

  // Readable while replies wait.
  int fd() const noexcept;

 private:
  struct State;
  static bool Spawn(const std::shared_ptr<State>& state);
  static void Work(std::shared_ptr<State> state);

  explicit PageReader(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
  std::map<int, Descriptor> lent_;
};

}  // namespace nodecore::pages
