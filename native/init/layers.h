// /layers.list of the initramfs: the layers of the root.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nodecore::init {

struct Layer {
  enum class Kind {
    kImage,      // a squashfs
    kDirectory,  // a directory of the initramfs, which is copied
  };
  Kind kind;
  std::string path;  // without the slash at the end
};

// The layers, top first. Nothing when a line is neither PATH.sqsh nor PATH/, is not absolute, or has a "..": a root
// that lacks a layer must not run. An empty list is invalid as well.
std::optional<std::vector<Layer>> ParseLayers(std::string_view text);

}  // namespace nodecore::init
