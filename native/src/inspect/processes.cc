#include "inspect/processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <optional>
#include <string_view>

#include "core/descriptor.h"
#include "inspect/proc_file.h"

namespace nodecore::inspect {

namespace {

// A process may have megabytes of arguments.
constexpr std::size_t kMostArguments = 32 * 1024;
constexpr std::size_t kMostText = 64 * 1024;
// include/linux/sched.h
constexpr std::uint64_t kKernelThread = 0x00200000;

// proc_pid_stat(5), counted from the state.
enum Field { kParent = 1, kFlags = 6, kUserTicks = 11, kSystemTicks = 12, kNice = 16, kThreads = 17, kStart = 19, kVirtual = 20, kFields = 21 };

struct Stat {
  std::string_view command;
  char state;
  std::array<std::int64_t, kFields> fields{};
};

// A command may hold blanks and parentheses: the last one ends it.
std::optional<Stat> ParseStat(std::string_view text) {
  const auto begin = text.find('(');
  const auto end = text.rfind(')');
  if (begin == text.npos || end == text.npos || end < begin || end + 3 > text.size()) return std::nullopt;
  Stat stat{.command = text.substr(begin + 1, end - begin - 1), .state = text[end + 2]};
  std::string_view rest = text.substr(end + 3);
  for (int field = 1; field < kFields; ++field) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    // Those beyond the signed range (of rsslim) come later than what is read here.
    const auto [stopped, error] = std::from_chars(rest.data(), rest.data() + rest.size(), stat.fields[field]);
    if (error != std::errc() || stopped == rest.data()) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(stopped - rest.data()));
  }
  return stat;
}

// Pages of resident memory (proc_pid_statm(5)): stat has a number that the kernel has not brought up to date.
std::int64_t ResidentOf(std::string_view text) {
  std::int64_t pages = 0;
  const auto second = text.find(' ');
  if (second != text.npos) std::from_chars(text.data() + second + 1, text.data() + text.size(), pages);
  return pages;
}

std::string_view CgroupOf(std::string_view text) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    if (line.starts_with("0::")) return line.substr(3);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.remove_suffix(1);
  return text;
}

std::unexpected<SysError> Fault(const char* syscall, int number) { return std::unexpected(SysError{syscall, number}); }

std::expected<void, SysError> AddProcess(Table& table, int pid, int directory) {
  static const double ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  static const std::int64_t page = sysconf(_SC_PAGESIZE);
  struct stat owner{};
  if (fstat(directory, &owner) < 0) return IsGone(errno) ? std::expected<void, SysError>() : Fault("fstat", errno);
  const auto text = ReadProcFile(directory, "stat", kMostText);
  if (!text) return IsGone(text.error()) || IsForbidden(text.error()) ? std::expected<void, SysError>() : Fault("read", text.error());
  const auto stat = ParseStat(*text);
  if (!stat) return {};
  const auto memory = ReadProcFile(directory, "statm", kMostText);
  const auto arguments = ReadProcFile(directory, "cmdline", kMostArguments);
  if (!arguments && !IsForbidden(arguments.error())) return IsGone(arguments.error()) ? std::expected<void, SysError>() : Fault("read", arguments.error());
  // What has none, and what we may not see: all of them say nothing of what it runs.
  const auto executable = ReadProcLink(directory, "exe");
  const auto label = ReadProcFile(directory, "attr/current", kMostText);
  const auto cgroup = ReadProcFile(directory, "cgroup", kMostText);
  // The last look: what is still there was there all the time.
  if (!cgroup && cgroup.error() == ESRCH) return {};

  const auto& field = stat->fields;
  table.Add(pid);
  table.Add(field[kParent]);
  table.Add(static_cast<unsigned char>(stat->state));
  table.Add(field[kThreads]);
  table.Add(static_cast<double>(field[kUserTicks] + field[kSystemTicks]) / ticks_per_second);
  table.Add(field[kVirtual]);
  table.Add(memory ? ResidentOf(*memory) * page : 0);
  table.Add(owner.st_uid);
  table.Add(static_cast<double>(field[kStart]) * 1e6 / ticks_per_second);
  table.Add((static_cast<std::uint64_t>(field[kFlags]) & kKernelThread) != 0);
  table.Add(field[kNice]);
  table.AddText(stat->command);
  table.AddText(executable ? std::string_view(*executable) : std::string_view());
  table.AddText(arguments ? std::string_view(*arguments) : std::string_view());
  table.AddText(label ? Trimmed(*label) : std::string_view());
  table.AddText(cgroup ? CgroupOf(*cgroup) : std::string_view());
  return {};
}

}  // namespace

std::expected<void, SysError> ForEachProcess(const std::string& proc, const std::atomic<bool>& cancelled,
                                             const std::function<std::expected<void, SysError>(int, int)>& visit) {
  const std::unique_ptr<DIR, int (*)(DIR*)> all(opendir(proc.c_str()), closedir);
  if (all == nullptr) return Failed("opendir");
  while (true) {
    errno = 0;
    const dirent* entry = readdir(all.get());
    if (entry == nullptr) return errno == 0 ? std::expected<void, SysError>() : Fault("readdir", errno);
    if (cancelled) return Fault("readdir", ECANCELED);
    const std::string_view name = entry->d_name;
    int pid = 0;
    const auto [stopped, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc() || stopped != name.data() + name.size() || pid <= 0) continue;
    const Descriptor directory(openat(dirfd(all.get()), entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() < 0) {
      if (IsGone(errno) || IsForbidden(errno) || errno == ENOTDIR) continue;
      return Failed("openat");
    }
    if (auto visited = visit(pid, directory.get()); !visited) return visited;
  }
}

std::expected<Table, SysError> ReadProcesses(const std::string& proc, const std::atomic<bool>& cancelled) {
  Table table;
  auto all = ForEachProcess(proc, cancelled, [&](int pid, int directory) { return AddProcess(table, pid, directory); });
  if (!all) return std::unexpected(all.error());
  return table;
}

}  // namespace nodecore::inspect
