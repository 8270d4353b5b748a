// The entries of a tree, as messages of nodecore.v1.FileBatch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "files/source.h"
#include "files/walk.h"

namespace nodecore::files {

struct ListingRequest {
  std::string root;
  std::size_t depth;
  // Numbers of nodecore.v1.FileType as bits; 0: every type.
  std::uint32_t types;
  // More than names and types.
  bool details;
  bool one_file_system;
};

class Listing : public Source {
 public:
  explicit Listing(ListingRequest request) : request_(std::move(request)) {}
  std::expected<void, SysError> Fill(Piece& piece, const std::atomic<bool>& cancelled) override;

 private:
  void Add(Piece& piece, const Item& item);

  ListingRequest request_;
  std::optional<Walk> walk_;
  std::string message_;
};

}  // namespace nodecore::files
