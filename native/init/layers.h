// /layers.list of the first filesystem: what the root is laid of.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nodecore::init {

struct Layer {
  enum class Kind {
    kImage,      // a squashfs
    kDirectory,  // a directory of the first filesystem, which is copied
  };
  Kind kind;
  std::string path;  // without the slash at the end
};

// The layers, top first. Nothing when a line is neither PATH.sqsh nor PATH/, is not absolute, or leads elsewhere by "..": a root
// that lacks a layer must not run. An empty list is a mistake, too.
std::optional<std::vector<Layer>> ParseLayers(std::string_view text);

}  // namespace nodecore::init
