// The last output of a service, in files of 64 KiB named after the offset of their first byte: a reader keeps an offset
// and sees by it what was dropped. The files outlive the keeper and the service.
#pragma once

#include <deque>
#include <string>
#include <string_view>

namespace nodecore::keeper {

class LogRing {
 public:
  static constexpr unsigned long long kSegmentBytes = 64 << 10;
  static constexpr unsigned long long kTotalBytes = 1 << 20;

  // Continues where the previous keeper of this directory ended.
  LogRing();
  ~LogRing();
  LogRing(const LogRing&) = delete;
  LogRing& operator=(const LogRing&) = delete;

  // On a full disk, new output is lost and nothing else.
  void Append(std::string_view bytes);

 private:
  void Begin(unsigned long long offset);
  void Drop(unsigned long long offset);

  int fd_ = -1;
  // Offset and length of the newest file.
  unsigned long long start_ = 0;
  unsigned long long size_ = 0;
  // Offsets of the files, oldest first.
  std::deque<unsigned long long> starts_;
};

// `log.` and twenty digits.
std::string SegmentName(unsigned long long offset);

}  // namespace nodecore::keeper
