// Lines of PID 1 and of the agent go to the kernel log, where the console, dmesg and the agent read them.
#pragma once

#include <string>
#include <string_view>

namespace nodecore::init {

// Opens /dev/kmsg and turns off the kernel's rate limit for it.
void OpenLog();

// Logs a line of PID 1.
[[gnu::format(printf, 1, 2)]] void Log(const char* format, ...);

// Logs a line of another program, split where the kernel would refuse it as too long.
void LogLine(std::string_view who, std::string_view line);

// Splits a stream of chunks into lines.
class LineReader {
 public:
  explicit LineReader(std::string_view who) : who_(who) {}
  void Feed(std::string_view bytes);
  // Takes a last line that has no line feed.
  void Flush();

 private:
  std::string_view who_;
  std::string pending_;
};

}  // namespace nodecore::init
