// Directories to visit, shared by the threads of a scan: a directory's children are queued once it was visited.
//
// Threads: any.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "cgroupfs/visitor.h"

namespace nodecore::cgroupfs {

class Walk {
 public:
  // `number` is the scan's: directories that it has visited already are passed over.
  Walk(std::deque<Directory*> queue, std::uint64_t number, const std::atomic<bool>& cancelled)
      : queue_(std::move(queue)), number_(number), cancelled_(cancelled) {}

  // Visits until nothing is left. `on_many` is called, once, when another thread would find work.
  template <typename OnMany>
  void Run(Visitor& visitor, OnMany on_many);

  // After the last Run.
  const std::vector<Directory*>& gone() const noexcept { return gone_; }
  const std::vector<Directory*>& no_descriptor() const noexcept { return no_descriptor_; }

 private:
  // As many as one thread takes at a time: the lock is cheap, a cold cache isn't.
  static constexpr std::size_t kBatch = 16;
  static constexpr std::size_t kMany = 48;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Directory*> queue_;
  const std::uint64_t number_;
  const std::atomic<bool>& cancelled_;
  unsigned busy_ = 0;
  bool many_ = false;
  std::vector<Directory*> gone_;
  std::vector<Directory*> no_descriptor_;
};

template <typename OnMany>
void Walk::Run(Visitor& visitor, OnMany on_many) {
  std::vector<Directory*> batch;
  std::vector<Directory*> children;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !queue_.empty() || busy_ == 0; });
    if (queue_.empty()) return;
    if (queue_.size() >= kMany && !std::exchange(many_, true)) on_many();
    const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(std::min(kBatch, queue_.size()));
    batch.assign(queue_.begin(), end);
    queue_.erase(queue_.begin(), end);
    busy_ += 1;
    lock.unlock();
    std::vector<Directory*> gone;
    std::vector<Directory*> no_descriptor;
    children.clear();
    for (Directory* const directory : batch) {
      if (cancelled_) break;
      switch (visitor.Visit(*directory)) {
        case Visitor::Outcome::kRead:
          for (const auto& [name, child] : directory->children) {
            if (child->visited != number_) children.push_back(child.get());
          }
          break;
        case Visitor::Outcome::kGone:
          gone.push_back(directory);
          break;
        case Visitor::Outcome::kNoDescriptor:
          no_descriptor.push_back(directory);
          break;
      }
    }
    lock.lock();
    queue_.insert(queue_.end(), children.begin(), children.end());
    gone_.insert(gone_.end(), gone.begin(), gone.end());
    no_descriptor_.insert(no_descriptor_.end(), no_descriptor.begin(), no_descriptor.end());
    busy_ -= 1;
    if (cancelled_) queue_.clear();
    changed_.notify_all();
  }
}

}  // namespace nodecore::cgroupfs
