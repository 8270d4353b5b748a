// Lines of PID 1, and of the agent, go to the kernel's log, from where the console, dmesg and the agent itself have them.
#pragma once

#include <string>
#include <string_view>

namespace nodecore::init {

// Opens /dev/kmsg and asks the kernel to drop none of our lines.
void OpenLog();

// A line of PID 1.
[[gnu::format(printf, 1, 2)]] void Log(const char* format, ...);

// A line of somebody else, in pieces when the kernel would refuse it as too long.
void LogLine(std::string_view who, std::string_view line);

// Lines of a stream that comes in pieces.
class LineReader {
 public:
  explicit LineReader(std::string_view who) : who_(who) {}
  void Feed(std::string_view bytes);
  // What has no end of line yet is a line, too.
  void Flush();

 private:
  std::string_view who_;
  std::string pending_;
};

}  // namespace nodecore::init
