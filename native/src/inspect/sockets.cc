#include "inspect/sockets.h"

#include <dirent.h>
#include <fcntl.h>

#include <cerrno>
#include <charconv>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "core/descriptor.h"
#include "inspect/proc_file.h"
#include "inspect/processes.h"

namespace nodecore::inspect {

namespace {

struct Owners {
  std::string text;
  int last = 0;
};

// 0 for what is no socket.
std::uint64_t SocketOf(std::string_view target) {
  constexpr std::string_view kPrefix = "socket:[";
  std::uint64_t inode = 0;
  if (!target.starts_with(kPrefix)) return 0;
  target.remove_prefix(kPrefix.size());
  std::from_chars(target.data(), target.data() + target.size(), inode);
  return inode;
}

// Of one process: it may have a socket several times, and counts once.
std::expected<void, SysError> AddOwner(int pid, int directory, std::unordered_map<std::uint64_t, Owners>& sockets) {
  Descriptor opened(openat(directory, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() < 0) return IsGone(errno) || IsForbidden(errno) ? std::expected<void, SysError>() : Failed("openat");
  const std::unique_ptr<DIR, int (*)(DIR*)> files(fdopendir(opened.get()), closedir);
  if (files == nullptr) return Failed("fdopendir");
  opened.Release();
  std::string name;
  while (const dirent* entry = readdir(files.get())) {
    const auto target = ReadProcLink(dirfd(files.get()), entry->d_name);
    if (!target) continue;  // closed meanwhile, or `..`
    const auto found = sockets.find(SocketOf(*target));
    if (found == sockets.end() || found->second.last == pid) continue;
    if (name.empty()) {
      const auto command = ReadProcFile(directory, "comm", 4096);
      if (!command) return {};
      name = command->substr(0, command->size() - (command->ends_with('\n') ? 1 : 0));
    }
    found->second.last = pid;
    found->second.text += std::to_string(pid) + '\0' + name + '\0';
  }
  return {};
}

}  // namespace

std::expected<Table, SysError> ReadSockets(const SocketQuestion& question, const std::atomic<bool>& cancelled) {
  std::vector<SocketFacts> found;
  for (int protocol = 0; protocol < kProtocols; ++protocol) {
    if ((question.protocols >> protocol & 1) == 0) continue;
    if (cancelled) return std::unexpected(SysError{"recvmsg", ECANCELED});
    const auto dumped = DumpSockets(protocol, question.filter, found);
    if (!dumped) return std::unexpected(dumped.error());
    if (*dumped) continue;
    const auto parsed = ParseSockets(question.proc, protocol, question.filter, found);
    if (!parsed) return std::unexpected(parsed.error());
  }
  std::unordered_map<std::uint64_t, Owners> owners;
  if (question.processes) {
    for (const auto& socket : found) {
      if (socket.inode != 0) owners.try_emplace(socket.inode);
    }
    const auto walked = ForEachProcess(question.proc, cancelled, [&](int pid, int directory) { return AddOwner(pid, directory, owners); });
    if (!walked) return std::unexpected(walked.error());
  }
  Table table;
  for (const auto& socket : found) {
    table.Add(socket.protocol);
    table.Add(socket.local.port);
    table.Add(socket.remote.port);
    table.Add(socket.state);
    table.Add(socket.receive_queue);
    table.Add(socket.send_queue);
    table.Add(socket.timer);
    table.Add(socket.timer_millis);
    table.Add(socket.retransmits);
    table.Add(socket.uid);
    table.Add(socket.inode);
    table.AddText(socket.local.address);
    table.AddText(socket.remote.address);
    table.AddText(socket.interface);
    const auto owner = owners.find(socket.inode);
    table.AddText(owner == owners.end() ? std::string_view() : std::string_view(owner->second.text));
  }
  return table;
}

}  // namespace nodecore::inspect
