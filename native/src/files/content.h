// The bytes of one regular file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/descriptor.h"
#include "files/source.h"

namespace nodecore::files {

struct ContentRequest {
  std::string path;
  // Negative: so many bytes before the end.
  std::int64_t offset;
  // At most; negative: to the end.
  std::int64_t length;
  // At the end, wait for more. A file that was cut off begins anew, and so does one that took its name.
  bool follow;
};

class Content : public Source {
 public:
  explicit Content(ContentRequest request) : request_(std::move(request)) {}
  std::expected<void, SysError> Fill(Piece& piece, const std::atomic<bool>& cancelled) override;

 private:
  std::expected<void, SysError> Open();
  std::expected<std::size_t, SysError> Read(Piece& piece);
  void LookForAnother();

  ContentRequest request_;
  Descriptor file_;
  std::int64_t offset_ = 0;
  // Files of the kernel have content, and say that they have none: they were not cut off.
  bool has_size_ = false;
  // Another file has the name: it is next when this one has ended.
  std::optional<Descriptor> next_;
};

}  // namespace nodecore::files
