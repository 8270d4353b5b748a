#include "restart_policy.h"

#include <algorithm>

namespace nodecore::init {

std::optional<Milliseconds> RestartPolicy::Died(Milliseconds started, Milliseconds now) {
  deaths_.push_back(now);
  while (!deaths_.empty() && now - deaths_.front() > kWindow) deaths_.pop_front();
  if (!blessed_ && std::ssize(deaths_) >= kMostDeaths) return std::nullopt;
  if (now - started >= kWell) delay_ = 0;
  delay_ = delay_ == 0 ? kFirstDelay : std::min(2 * delay_, kLongestDelay);
  return delay_;
}

std::optional<Milliseconds> RestartPolicy::Deadline() const noexcept {
  if (blessed_ || silence_ == 0) return std::nullopt;
  return heard_ + silence_;
}

Liveness::Verdict Liveness::Judge(Milliseconds now) noexcept {
  const auto deadline = Deadline();
  if (!deadline || now < *deadline) return Verdict::kWell;
  if (!aborted_) {
    aborted_ = now;
    return Verdict::kAbort;
  }
  killed_ = true;
  return Verdict::kKill;
}

std::optional<Milliseconds> Liveness::Deadline() const noexcept {
  if (killed_) return std::nullopt;
  if (aborted_) return *aborted_ + kReport;
  if (heard_) return *heard_ + patience_;
  if (started_ && start_ != 0) return *started_ + start_;
  return std::nullopt;
}

}  // namespace nodecore::init
