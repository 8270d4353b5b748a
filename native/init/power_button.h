// The power button, which the kernel reports as a key.
#pragma once

#include <span>
#include <vector>

namespace nodecore::init {

class PowerButtons {
 public:
  // Opens every input device with a power key.
  void Open();
  std::span<const int> descriptors() const noexcept { return buttons_; }
  // Reads the events of a device. @returns whether its button was pressed.
  static bool Pressed(int button);

 private:
  std::vector<int> buttons_;
};

}  // namespace nodecore::init
