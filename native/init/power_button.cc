#include "power_button.h"

#include <fcntl.h>
#include <glob.h>
#include <linux/input.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace nodecore::init {

namespace {

bool HasPowerKey(int device) {
  std::array<std::uint8_t, KEY_MAX / 8 + 1> keys{};
  if (ioctl(device, EVIOCGBIT(EV_KEY, keys.size()), keys.data()) < 0) return false;
  return (keys[KEY_POWER / 8] >> (KEY_POWER % 8) & 1) != 0;
}

}  // namespace

void PowerButtons::Open() {
  glob_t devices{};
  glob("/dev/input/event*", 0, nullptr, &devices);
  for (std::size_t i = 0; i < devices.gl_pathc; ++i) {
    const int device = open(devices.gl_pathv[i], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (device < 0) continue;
    if (HasPowerKey(device)) {
      buttons_.push_back(device);
    } else {
      close(device);
    }
  }
  globfree(&devices);
}

bool PowerButtons::Pressed(int button) {
  bool pressed = false;
  input_event event;
  while (read(button, &event, sizeof event) == sizeof event)
    pressed = pressed || (event.type == EV_KEY && event.code == KEY_POWER && event.value == 1);
  return pressed;
}

}  // namespace nodecore::init
