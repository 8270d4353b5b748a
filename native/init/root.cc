#include "root.h"

#include <fcntl.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "fatal.h"
#include "files.h"
#include "kmsg.h"
#include "layers.h"
#include "mounts.h"

namespace nodecore::init {

namespace {

constexpr unsigned long kReadOnly = MS_RDONLY | MS_NOSUID | MS_NODEV;
constexpr const char* kRoot = "/new";

// Attaches a loop device with autoclear to the file. The descriptor keeps it until it is mounted.
std::string LoopOver(const std::string& file, int& held) {
  const int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
  const int number = control < 0 ? -1 : ioctl(control, LOOP_CTL_GET_FREE);
  if (number < 0) Fatal("no loop device: %s", strerror(errno));
  close(control);
  std::string device = "/dev/loop" + std::to_string(number);
  const int backing = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (backing < 0) Fatal("%s: %s", file.c_str(), strerror(errno));
  held = open(device.c_str(), O_RDONLY | O_CLOEXEC);
  loop_config config{};
  config.fd = static_cast<__u32>(backing);
  config.block_size = 4096;
  config.info.lo_flags = LO_FLAGS_READ_ONLY | LO_FLAGS_AUTOCLEAR;
  strncpy(reinterpret_cast<char*>(config.info.lo_file_name), file.c_str(), LO_NAME_SIZE - 1);
  if (held < 0 || ioctl(held, LOOP_CONFIGURE, &config) != 0) Fatal("%s over %s: %s", device.c_str(), file.c_str(), strerror(errno));
  close(backing);
  return device;
}

void MountLayer(const Layer& layer, const std::string& at) {
  mkdir(at.c_str(), 0755);
  if (layer.kind == Layer::Kind::kImage) {
    int held = -1;
    const auto device = LoopOver(layer.path, held);
    if (mount(device.c_str(), at.c_str(), "squashfs", kReadOnly, nullptr) != 0)
      Fatal("%s is no squashfs that can be mounted: %s", layer.path.c_str(), strerror(errno));
    close(held);
    unlink(layer.path.c_str());
    return;
  }
  if (!Mount("layer", at, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") || !CopyTree(layer.path, at))
    Fatal("layer %s/: %s", layer.path.c_str(), strerror(errno));
  if (mount(nullptr, at.c_str(), nullptr, MS_REMOUNT | kReadOnly, nullptr) != 0)
    Fatal("layer %s/ can't be made read-only: %s", layer.path.c_str(), strerror(errno));
}

void Move(const std::string& from, const std::string& to) {
  if (mount(from.c_str(), to.c_str(), nullptr, MS_MOVE, nullptr) != 0)
    Fatal("%s can't be moved to %s: %s", from.c_str(), to.c_str(), strerror(errno));
}

// Saves the signed PCR policy and its key, which the stub put into the initramfs that is about to be freed.
void KeepExtra() {
  const std::string to = std::string(kRoot) + "/run/nodeos";
  mkdir(to.c_str(), 0755);
  for (const std::string name : {"tpm2-pcr-signature.json", "tpm2-pcr-public-key.pem"}) {
    const auto content = ReadFile("/.extra/" + name);
    if (content && !WriteFile(to + "/" + name, *content)) Log("%s can't be kept", name.c_str());
  }
}

}  // namespace

void LayRoot() {
  const auto list = ReadFile("/layers.list").value_or("/rootfs.sqsh\n");
  const auto layers = ParseLayers(list);
  if (!layers) Fatal("/layers.list is not a list of layers");
  mkdir("/layer", 0755);
  mkdir(kRoot, 0755);
  std::string lower;
  for (std::size_t i = 0; i < layers->size(); ++i) {
    const auto at = "/layer/" + std::to_string(i);
    MountLayer((*layers)[i], at);
    lower += (i == 0 ? "lowerdir=" : ":") + at;
  }
  // An overlay needs at least two layers.
  if (layers->size() == 1) return Move("/layer/0", kRoot);
  if (mount("root", kRoot, "overlay", kReadOnly, lower.c_str()) != 0) Fatal("overlay of %s: %s", lower.c_str(), strerror(errno));
}

void EnterRoot() {
  const std::string root = kRoot;
  Mount("tmpfs", root + "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755");
  KeepExtra();
  for (const std::string name : {"/dev", "/proc", "/sys"}) Move(name, root + name);
  RemoveBelow("/");
  if (chdir(kRoot) != 0) Fatal("%s: %s", kRoot, strerror(errno));
  Move(".", "/");
  if (chroot(".") != 0 || chdir("/") != 0) Fatal("chroot: %s", strerror(errno));
}

}  // namespace nodecore::init
