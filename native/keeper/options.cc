#include "options.h"

#include <cstdlib>
#include <string_view>

namespace nodecore::keeper {

std::optional<Options> ParseOptions(int argc, char** argv) {
  if (argc < 4) return std::nullopt;
  Options options;
  options.directory = argv[1];
  int at = 2;
  for (; at < argc && std::string_view(argv[at]) != "--"; at += 2) {
    if (at + 1 >= argc) return std::nullopt;
    const std::string_view flag = argv[at];
    const char* const value = argv[at + 1];
    if (flag == "--parent") options.parent = static_cast<pid_t>(strtol(value, nullptr, 10));
    else if (flag == "--cgroup") options.cgroup = value;
    else if (flag == "--hash") options.hash = value;
    else if (flag == "--files") options.files = strtoul(value, nullptr, 10);
    else if (flag == "--oom") options.oom = static_cast<int>(strtol(value, nullptr, 10));
    else return std::nullopt;
  }
  for (++at; at < argc; ++at) options.words.emplace_back(argv[at]);
  if (options.words.empty()) return std::nullopt;
  return options;
}

}  // namespace nodecore::keeper
