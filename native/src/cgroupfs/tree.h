// A cgroup tree that is read again and again. What is open stays open, so that most files cost one system call.
//
// New cgroups are found by their parent's link count, which every scan asks for, gone ones by ENODEV or ENOENT and then by
// listing their parent again; controllers that were switched on below a cgroup by its cgroup.subtree_control. No event
// has to arrive for that, and none can be lost.
//
// Owns: the descriptors that it keeps.
// Threads: call it from one thread at a time; a scan of more than a few directories takes a second one for itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "cgroupfs/directory.h"
#include "cgroupfs/scan.h"
#include "cgroupfs/visitor.h"
#include "core/sys_error.h"

namespace nodecore::cgroupfs {

class Tree {
 public:
  // `foreign` reads a directory of another filesystem as if it were one (tests). ENOTSUP: it is not cgroup v2.
  static std::expected<std::unique_ptr<Tree>, SysError> Open(const std::string& path, bool foreign);

  Tree(Tree&&) = delete;
  ~Tree();

  // ECANCELED when `cancelled` became true, ENODEV when the root is gone.
  std::expected<Scan, SysError> Read(const Request& request, const std::atomic<bool>& cancelled);

 private:
  Tree(Descriptor root_fd, bool foreign);
  Round MakeRound(const Request& request);
  std::expected<void, SysError> Walk(const std::atomic<bool>& cancelled, std::vector<Visitor>& visitors);
  bool Forget(const std::vector<Directory*>& dead, std::deque<Directory*>& queue);
  // Closes the descriptors that were used longest ago, until so many are left.
  void EvictTo(std::int64_t left);
  void EvictUnused();
  Scan Collect(const Round& round, std::vector<Visitor>& visitors);

  Descriptor root_fd_;
  const bool foreign_;
  FileNames names_;
  DescriptorBudget budget_;
  std::atomic<std::uint32_t> next_id_ = 1;
  std::uint64_t scans_ = 0;
  Directory root_;
  // Not reported yet.
  std::vector<std::uint32_t> gone_;
  // Bytes that the last scan needed, by visitor.
  std::vector<std::size_t> rooms_;
};

}  // namespace nodecore::cgroupfs
