// Work that may hang, such as on a disk that does not answer: children do it, so that PID 1 goes on.
#pragma once

#include <functional>
#include <vector>

#include "restart_policy.h"

namespace nodecore::init {

// Does all the work at once, each piece in a child of its own, and calls look every 50 ms meanwhile. Children that are late are
// killed and left alone. Where no child can be made, PID 1 does the work. @returns whether all of it was done in time.
bool InChildren(const std::vector<std::function<void()>>& works, Milliseconds limit, const std::function<void()>& look);

// Time that pieces of work share. One that comes when others have used it up still gets some.
class SharedTime {
 public:
  // until: on the monotonic clock. least: milliseconds.
  SharedTime(Milliseconds until, Milliseconds least) : until_(until), least_(least) {}
  Milliseconds Left(Milliseconds now) const noexcept { return until_ - now > least_ ? until_ - now : least_; }

 private:
  Milliseconds until_;
  Milliseconds least_;
};

}  // namespace nodecore::init
