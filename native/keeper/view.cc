#include "view.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace nodecore::keeper {

namespace {

// Resolves the path so that no link leads outside of the root.
int OpenIn(int root, const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT;
  return static_cast<int>(syscall(SYS_openat2, root, path.c_str(), &how, sizeof how));
}

int Lay(int root, const Bind& bind) {
  const int target = OpenIn(root, bind.target);
  if (target < 0) return errno;
  const std::string place = "/proc/self/fd/" + std::to_string(target);
  int number = 0;
  if (mount(bind.source.c_str(), place.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) number = errno;
  close(target);
  if (number != 0 || !bind.is_read_only) return number;
  // The descriptor refers to the directory below the mount: open the path again.
  const int laid = OpenIn(root, bind.target);
  if (laid < 0) return errno;
  const std::string mounted = "/proc/self/fd/" + std::to_string(laid);
  if (mount(nullptr, mounted.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID, nullptr) != 0) number = errno;
  close(laid);
  return number;
}

}  // namespace

int EnterView(const Options& options) {
  if (options.root.empty() && options.binds.empty()) return 0;
  if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return errno;
  const std::string& path = options.root.empty() ? "/" : options.root;
  const int root = open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) return errno;
  for (const auto& bind : options.binds)
    if (const int number = Lay(root, bind)) return number;
  close(root);
  return chroot(path.c_str()) == 0 && chdir("/") == 0 ? 0 : errno;
}

}  // namespace nodecore::keeper
