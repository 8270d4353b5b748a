// The power button, which the kernel tells of as of a key.
#pragma once

#include <span>
#include <vector>

namespace nodecore::init {

class PowerButtons {
 public:
  // Opens every input device that has such a key.
  void Open();
  std::span<const int> descriptors() const noexcept { return buttons_; }
  // Reads what a device has to tell. @returns whether its button was pressed.
  static bool Pressed(int button);

 private:
  std::vector<int> buttons_;
};

}  // namespace nodecore::init
