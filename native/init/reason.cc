#include "reason.h"

#include <glob.h>
#include <sys/mount.h>

#include "files.h"
#include "kmsg.h"

namespace nodecore::init {

namespace {

constexpr const char* kReports = "/sys/fs/pstore/dmesg-*";
// By itself the kernel writes its log of a crash only.
constexpr const char* kAlways = "/sys/module/printk/parameters/always_kmsg_dump";

bool ReportWaits() {
  // A boot that fails early has not mounted it; one that has mounts it no second time.
  mount("pstore", "/sys/fs/pstore", "pstore", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
  glob_t files{};
  const bool waits = glob(kReports, GLOB_NOSORT, nullptr, &files) == 0;
  globfree(&files);
  return waits;
}

}  // namespace

void LeaveReason(std::string_view why) {
  // The agent looks for these words.
  Log("this boot has failed: %.*s", static_cast<int>(why.size()), why.data());
  if (!ReportWaits()) WriteFile(kAlways, "Y\n");
}

}  // namespace nodecore::init
