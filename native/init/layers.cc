#include "layers.h"

#include "text.h"

namespace nodecore::init {

std::optional<std::vector<Layer>> ParseLayers(std::string_view text) {
  std::vector<Layer> layers;
  for (const auto& line : Lines(text)) {
    if (!line.starts_with('/') || line.size() < 2 || (line + '/').contains("/../")) return std::nullopt;
    if (line.ends_with('/')) {
      layers.push_back({Layer::Kind::kDirectory, line.substr(0, line.size() - 1)});
    } else if (line.ends_with(".sqsh")) {
      layers.push_back({Layer::Kind::kImage, line});
    } else {
      return std::nullopt;
    }
  }
  if (layers.empty()) return std::nullopt;
  return layers;
}

}  // namespace nodecore::init
