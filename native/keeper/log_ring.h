// What a service printed last, in files of 64 KiB that are named after the offset of their first byte: who reads keeps an offset
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

  // Goes on where the former keeper of this directory ended.
  LogRing();
  ~LogRing();
  LogRing(const LogRing&) = delete;
  LogRing& operator=(const LogRing&) = delete;

  // A full disk loses what comes, and nothing else.
  void Append(std::string_view bytes);

 private:
  void Begin(unsigned long long offset);
  void Drop(unsigned long long offset);

  int fd_ = -1;
  // Of the newest file: where it begins, and how long it is.
  unsigned long long start_ = 0;
  unsigned long long size_ = 0;
  // Where the files begin, oldest first.
  std::deque<unsigned long long> starts_;
};

// `log.` and twenty digits.
std::string SegmentName(unsigned long long offset);

}  // namespace nodecore::keeper
