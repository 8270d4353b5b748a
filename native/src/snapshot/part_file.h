// A file in the making: `PATH.part` until it is complete, on the disk and sound; then PATH.
//
// Owns: the descriptor, and the file as long as it is a part: without Publish it goes with the object.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>

#include "core/descriptor.h"
#include "core/sys_error.h"

namespace nodecore::snapshot {

class PartFile {
 public:
  // A new file, for its owner only; what a writer that died has left goes. EWOULDBLOCK of flock when one is alive. EEXIST
  // when there is a `path` that may not be replaced, EOPNOTSUPP of replace when it is no regular file.
  static std::expected<PartFile, SysError> Open(std::string path, bool replace);

  PartFile(PartFile&&) noexcept = default;
  PartFile& operator=(PartFile&&) = delete;
  ~PartFile();

  // ENOSPC now rather than after the last gigabyte. Filesystems that can't reserve are left alone.
  std::expected<void, SysError> Reserve(std::uint64_t bytes);

  // Past the page cache when filesystem, place and length allow it.
  std::expected<void, SysError> Append(std::span<const std::byte> bytes);

  std::expected<void, SysError> Sync();
  // Under its name, and that on the disk, too. After Sync. ESTALE when the part is another file by now, or not for us alone.
  std::expected<void, SysError> Publish();

  int fd() const noexcept { return file_.get(); }

  // What O_DIRECT wants of addresses, places and lengths on any device in use.
  static constexpr std::size_t kAlignment = 4096;

 private:
  PartFile(std::string path, bool replace, Descriptor file) noexcept
      : path_(std::move(path)), replace_(replace), file_(std::move(file)) {}
  void LeaveDirect() noexcept;
  std::string part() const { return path_ + ".part"; }

  std::string path_;
  bool replace_;
  Descriptor file_;
  bool direct_ = false;
};

}  // namespace nodecore::snapshot
