#include "options.h"

#include <cstdlib>
#include <string_view>

namespace nodecore::keeper {

namespace {

// `SOURCE:TARGET` or `SOURCE:TARGET:ro`
std::optional<Bind> ParseBind(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  Bind bind;
  bind.source = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  if (text.ends_with(":ro")) {
    bind.is_read_only = true;
    text.remove_suffix(3);
  }
  bind.target = text;
  if (!bind.source.starts_with('/') || !bind.target.starts_with('/') || bind.target.find(':') != std::string::npos)
    return std::nullopt;
  return bind;
}

}  // namespace

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
    else if (flag == "--root") options.root = value;
    else if (flag == "--seccomp") {
      const std::string_view name = value;
      if (name == "service") options.refusals = Refusals::kService;
      else if (name == "extension") options.refusals = Refusals::kExtension;
      else return std::nullopt;
    }
    else if (flag == "--bind") {
      const auto bind = ParseBind(value);
      if (!bind) return std::nullopt;
      options.binds.push_back(*bind);
    }
    else return std::nullopt;
  }
  for (++at; at < argc; ++at) options.words.emplace_back(argv[at]);
  if (options.words.empty()) return std::nullopt;
  return options;
}

}  // namespace nodecore::keeper
