#include "kmsg.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>

#include "files.h"

namespace nodecore::init {

namespace {

// The kernel takes records of at most 1024 bytes, its own prefix included.
constexpr std::size_t kLongestPiece = 900;
constexpr std::size_t kLongestPending = 64 * 1024;

int log = STDERR_FILENO;

}  // namespace

void OpenLog() {
  WriteFile("/proc/sys/kernel/printk_devkmsg", "on\n");
  const int opened = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
  if (opened >= 0) log = opened;
}

void Log(const char* format, ...) {
  char line[kLongestPiece];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  LogLine("init", line);
}

void LogLine(std::string_view who, std::string_view line) {
  do {
    const auto piece = line.substr(0, kLongestPiece);
    line.remove_prefix(piece.size());
    // One write is one record. 6: the level KERN_INFO.
    const auto text = std::string("<6>").append(who).append(": ").append(piece).append("\n");
    if (write(log, text.data(), text.size()) < 0) return;
  } while (!line.empty());
}

void LineReader::Feed(std::string_view bytes) {
  pending_.append(bytes);
  std::size_t end;
  while ((end = pending_.find('\n')) != std::string::npos) {
    LogLine(who_, std::string_view(pending_).substr(0, end));
    pending_.erase(0, end + 1);
  }
  if (pending_.size() > kLongestPending) Flush();
}

void LineReader::Flush() {
  if (!pending_.empty()) LogLine(who_, pending_);
  pending_.clear();
}

}  // namespace nodecore::init
