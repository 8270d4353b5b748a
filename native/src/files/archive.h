// A tree as a tar archive, with what tar can carry: owners, modes, times, hard links, devices, extended attributes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/descriptor.h"
#include "files/inodes.h"
#include "files/source.h"
#include "files/tar_header.h"
#include "files/walk.h"

namespace nodecore::files {

struct ArchiveRequest {
  std::string root;
  bool one_file_system;
};

class Archive : public Source {
 public:
  explicit Archive(ArchiveRequest request) : request_(std::move(request)) {}
  std::expected<void, SysError> Fill(Piece& piece, const std::atomic<bool>& cancelled) override;

 private:
  std::expected<void, SysError> Begin();
  void Add(Piece& piece, const Item& item);
  void AddFile(Piece& piece, const Item& item, TarEntry entry);
  void AddContent(Piece& piece);
  void Fail(std::string_view path, SysError error);
  std::string Report();

  ArchiveRequest request_;
  std::optional<Walk> walk_;
  // The file whose content comes, how much of it, and its padding.
  Descriptor file_;
  std::string path_;
  std::uint64_t size_ = 0;
  std::uint64_t left_ = 0;
  // Names of files that have several.
  Inodes<std::string> names_;

  std::uint64_t files_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t sockets_ = 0;
  std::uint64_t failed_ = 0;
  std::string failures_;
};

}  // namespace nodecore::files
