#include "files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

namespace nodecore::init {

namespace {

std::vector<std::string> Entries(const std::string& directory) {
  std::vector<std::string> names;
  DIR* const open = opendir(directory.c_str());
  if (open == nullptr) return names;
  while (const dirent* const entry = readdir(open)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(open);
  return names;
}

bool CopyLink(const std::string& from, const std::string& to) {
  std::array<char, 4096> target;
  const ssize_t size = readlink(from.c_str(), target.data(), target.size() - 1);
  if (size < 0) return false;
  return symlink(std::string(target.data(), static_cast<std::size_t>(size)).c_str(), to.c_str()) == 0;
}

void RemoveOn(dev_t device, const std::string& directory) {
  for (const auto& name : Entries(directory)) {
    const std::string path = directory + "/" + name;
    struct stat facts;
    if (lstat(path.c_str(), &facts) != 0 || facts.st_dev != device) continue;
    if (!S_ISDIR(facts.st_mode)) {
      unlink(path.c_str());
      continue;
    }
    RemoveOn(device, path);
    rmdir(path.c_str());
  }
}

}  // namespace

std::optional<std::string> ReadFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::string text;
  std::array<char, 16384> piece;
  ssize_t size;
  while ((size = read(file, piece.data(), piece.size())) > 0) text.append(piece.data(), static_cast<std::size_t>(size));
  close(file);
  if (size < 0) return std::nullopt;
  return text;
}

bool WriteFile(const std::string& path, std::string_view text, mode_t mode) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (file < 0) return false;
  while (!text.empty()) {
    const ssize_t size = write(file, text.data(), text.size());
    if (size <= 0) break;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return close(file) == 0 && text.empty();
}

bool CopyTree(const std::string& from, const std::string& to) {
  struct stat facts;
  if (lstat(from.c_str(), &facts) != 0) return false;
  if (S_ISLNK(facts.st_mode)) return CopyLink(from, to);
  if (S_ISREG(facts.st_mode)) {
    const auto content = ReadFile(from);
    return content && WriteFile(to, *content) && chmod(to.c_str(), facts.st_mode & 07777) == 0;
  }
  if (!S_ISDIR(facts.st_mode)) return false;
  if (mkdir(to.c_str(), 0755) != 0 && errno != EEXIST) return false;
  bool whole = true;
  for (const auto& name : Entries(from)) whole = CopyTree(from + "/" + name, to + "/" + name) && whole;
  return chmod(to.c_str(), facts.st_mode & 07777) == 0 && whole;
}

void RemoveBelow(const std::string& directory) {
  struct stat facts;
  if (lstat(directory.c_str(), &facts) == 0) RemoveOn(facts.st_dev, directory);
}

}  // namespace nodecore::init
