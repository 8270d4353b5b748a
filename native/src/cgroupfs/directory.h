// One cgroup as the last scan left it.
//
// Owns: its descriptors and its children. Before it is freed its descriptors go back to the budget.
// Threads: one at a time; children are other directories.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cgroupfs/column.h"
#include "cgroupfs/descriptor_budget.h"
#include "cgroupfs/file_names.h"
#include "core/descriptor.h"

namespace nodecore::cgroupfs {

struct File {
  FileName name;
  // Kept open, or -1.
  Descriptor fd;
  // The scan that read it last.
  std::uint64_t used = 0;
};

struct Directory {
  Directory(std::uint32_t id, Directory* parent, std::string name) : id(id), parent(parent), name(std::move(name)) {}

  const std::uint32_t id;
  Directory* const parent;
  const std::string name;

  Descriptor fd;
  // The kernel never gives one to two cgroups: another one by the same name is another cgroup.
  std::uint64_t inode = 0;
  // At the last listing. The kernel counts a directory's subdirectories there.
  std::uint64_t links = 0;
  // Ask the kernel again what is in here.
  bool stale = true;
  bool announced = false;
  // In the order of their numbers.
  std::vector<File> files;
  std::map<std::string, std::unique_ptr<Directory>, std::less<>> children;
  // Text of cgroup.subtree_control: which controllers' files the children have.
  std::string controllers;

  // The scan that read it last.
  std::uint64_t visited = 0;
  // What that scan found, in the arena of the worker that visited it.
  std::uint64_t stamp_ns = 0;
  std::uint32_t worker = 0;
  std::uint32_t first_entry = 0;
  std::uint32_t entries = 0;
  std::vector<Cell> cells;

  // Below the root, without a slash at either end; the root's is ".".
  std::string Path() const {
    if (parent == nullptr) return ".";
    return parent->parent == nullptr ? name : parent->Path() + '/' + name;
  }

  // Closes what is open here and below.
  void Release(DescriptorBudget& budget) {
    const auto close = [&](Descriptor& held) {
      if (held.get() < 0) return;
      { const Descriptor closing(std::move(held)); }
      budget.Give();
    };
    close(fd);
    for (auto& file : files) close(file.fd);
    for (auto& [name, child] : children) child->Release(budget);
  }
};

}  // namespace nodecore::cgroupfs
