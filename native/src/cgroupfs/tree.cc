#include "cgroupfs/tree.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "cgroupfs/walk.h"

namespace nodecore::cgroupfs {

namespace {

constexpr std::uint32_t kThreads = 2;
// Cgroups that go while they are read send us back to their parents. Who makes and removes them faster than that is
// looked at again by the next scan.
constexpr unsigned kPasses = 16;

void ForEach(Directory& directory, const auto& visit) {
  visit(directory);
  for (auto& [name, child] : directory.children) ForEach(*child, visit);
}

void Mark(std::vector<bool>& marks, std::uint32_t number) {
  if (number >= marks.size()) marks.resize(number + 1);
  marks[number] = true;
}

}  // namespace

std::expected<std::unique_ptr<Tree>, SysError> Tree::Open(const std::string& path, bool foreign) {
  Descriptor fd(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() < 0) return Failed("open");
  struct statfs facts {};
  if (fstatfs(fd.get(), &facts) != 0) return Failed("fstatfs");
  if (!foreign && facts.f_type != CGROUP2_SUPER_MAGIC) return std::unexpected(SysError{"fstatfs", ENOTSUP});
  return std::unique_ptr<Tree>(new Tree(std::move(fd), foreign));
}

Tree::Tree(Descriptor root_fd, bool foreign)
    : root_fd_(std::move(root_fd)), foreign_(foreign), root_(0, nullptr, "."), rooms_(kThreads, 0) {}

Tree::~Tree() { root_.Release(budget_); }

std::expected<Scan, SysError> Tree::Read(const Request& request, const std::atomic<bool>& cancelled) {
  budget_.Measure(request.most_held);
  EvictTo(budget_.held() - budget_.excess());
  scans_ += 1;
  const Round round = MakeRound(request);
  std::vector<Visitor> visitors;
  for (std::uint32_t i = 0; i < kThreads; ++i) visitors.emplace_back(round, names_, i, rooms_[i] + (64 << 10));
  if (const auto walked = Walk(cancelled, visitors); !walked) return std::unexpected(walked.error());
  if (budget_.refused() > 0) EvictUnused();
  return Collect(round, visitors);
}

Round Tree::MakeRound(const Request& request) {
  Round round{.root_fd = root_fd_.get(),
              .foreign = foreign_,
              .every_file = request.every_file,
              .texts = request.texts,
              .wanted = {},
              .write_only = {},
              .columns = request.columns,
              .number = scans_,
              .next_id = &next_id_,
              .budget = &budget_};
  for (const auto& name : request.files) Mark(round.wanted, names_.Add(name).number);
  for (auto& column : round.columns) column.file = names_.Add(request.files[column.file]).number;
  for (const char* name : {"cgroup.kill", "memory.reclaim"}) Mark(round.write_only, names_.Add(name).number);
  return round;
}

std::expected<void, SysError> Tree::Walk(const std::atomic<bool>& cancelled, std::vector<Visitor>& visitors) {
  std::deque<Directory*> queue{&root_};
  bool scarce = false;
  for (unsigned pass = 0; pass < kPasses && !queue.empty(); ++pass) {
    cgroupfs::Walk walk(std::move(queue), scans_, cancelled);
    queue.clear();
    std::thread helper;
    walk.Run(visitors[0], [&] {
      if (std::thread::hardware_concurrency() < kThreads) return;
      try {
        helper = std::thread([&] { walk.Run(visitors[1], [] {}); });
      } catch (const std::system_error&) {
        // Alone, then.
      }
    });
    if (helper.joinable()) helper.join();
    for (auto& visitor : visitors) {
      const auto gone = visitor.TakeGone();
      gone_.insert(gone_.end(), gone.begin(), gone.end());
    }
    if (cancelled) return std::unexpected(SysError{"read", ECANCELED});
    if (!Forget(walk.gone(), queue)) return std::unexpected(SysError{"openat", ENODEV});
    if (walk.no_descriptor().empty()) continue;
    if (std::exchange(scarce, true)) return std::unexpected(SysError{"openat", EMFILE});
    // Others hold what we may not exceed: half of ours goes, and nothing more is kept this time.
    budget_.Close();
    EvictTo(budget_.held() / 2);
    queue.insert(queue.end(), walk.no_descriptor().begin(), walk.no_descriptor().end());
  }
  return {};
}

// Removes dead directories and queues what has to be listed again. False when the root is among them.
bool Tree::Forget(const std::vector<Directory*>& dead, std::deque<Directory*>& queue) {
  std::set<Directory*> parents;
  for (Directory* const directory : dead) {
    if (directory == &root_) return false;
    AppendNumbers(*directory, gone_);
    directory->Release(budget_);
    Directory* const parent = directory->parent;
    parent->stale = true;
    parents.insert(parent);
    parent->children.erase(std::string(directory->name));
  }
  queue.insert(queue.end(), parents.begin(), parents.end());
  return true;
}

void Tree::EvictTo(std::int64_t left) {
  if (budget_.held() <= left) return;
  std::vector<std::pair<std::uint64_t, Descriptor*>> held;
  ForEach(root_, [&](Directory& directory) {
    for (auto& file : directory.files) {
      if (file.fd.get() >= 0) held.emplace_back(file.used, &file.fd);
    }
    // A directory's saves the most: it goes last.
    if (directory.fd.get() >= 0) held.emplace_back(UINT64_MAX, &directory.fd);
  });
  std::ranges::stable_sort(held, {}, &std::pair<std::uint64_t, Descriptor*>::first);
  for (const auto& [used, fd] : held) {
    if (budget_.held() <= left) return;
    { const Descriptor closing(std::move(*fd)); }
    budget_.Give();
  }
}

void Tree::EvictUnused() {
  ForEach(root_, [&](Directory& directory) {
    for (auto& file : directory.files) {
      if (file.fd.get() < 0 || file.used == scans_) continue;
      { const Descriptor closing(std::move(file.fd)); }
      budget_.Give();
    }
  });
}

Scan Tree::Collect(const Round& round, std::vector<Visitor>& visitors) {
  Scan scan;
  scan.file_names = names_.All();
  scan.gone = std::exchange(gone_, {});
  scan.values.resize(round.columns.size());
  scan.states.resize(round.columns.size());
  ForEach(root_, [&](Directory& directory) {
    if (!std::exchange(directory.announced, true)) {
      scan.appeared.push_back({directory.id, directory.parent == nullptr ? 0 : directory.parent->id, directory.name});
    }
    scan.order.push_back(directory.id);
    scan.stamps.push_back(directory.stamp_ns);
    scan.starts.push_back(static_cast<std::uint32_t>(scan.entries.size()));
    const auto first = visitors[directory.worker].entries().begin() + directory.first_entry;
    scan.entries.insert(scan.entries.end(), first, first + directory.entries);
    for (std::size_t i = 0; i < directory.cells.size(); ++i) {
      scan.values[i].push_back(directory.cells[i].value);
      scan.states[i].push_back(static_cast<std::uint8_t>(directory.cells[i].state));
    }
  });
  scan.starts.push_back(static_cast<std::uint32_t>(scan.entries.size()));
  for (std::uint32_t i = 0; i < visitors.size(); ++i) {
    rooms_[i] = visitors[i].arena().size();
    scan.arenas.push_back(std::move(visitors[i].arena()));
  }
  scan.held = static_cast<std::uint32_t>(budget_.held());
  scan.limit = static_cast<std::uint32_t>(budget_.limit());
  return scan;
}

}  // namespace nodecore::cgroupfs
