#include "tpm/turns.h"

#include <map>

namespace nodecore::tpm {

namespace {

bool HasResourceManager(const std::string& tcti) {
  return tcti.starts_with("device:/dev/tpmrm") || tcti.starts_with("tabrmd");
}

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<Turns>> turns;
};

}  // namespace

std::shared_ptr<Turns> Turns::Of(const std::string& tcti) {
  // Never destroyed: threads that a TPM keeps waiting outlive the end of main.
  static Registry& registry = *new Registry();
  const std::lock_guard lock(registry.mutex);
  std::erase_if(registry.turns, [](const auto& entry) { return entry.second.expired(); });
  auto turns = registry.turns[tcti].lock();
  if (turns == nullptr) {
    turns.reset(new Turns(HasResourceManager(tcti)));
    registry.turns[tcti] = turns;
  }
  return turns;
}

std::optional<Turns::Turn> Turns::Take(const std::function<bool()>& given_up) {
  if (shared_) return Turn(nullptr);
  std::unique_lock lock(mutex_);
  const std::uint64_t mine = next_++;
  waiting_.push_back(mine);
  changed_.wait(lock, [&] { return waiting_.front() == mine || given_up(); });
  if (waiting_.front() == mine) return Turn(this);
  std::erase(waiting_, mine);
  return std::nullopt;
}

void Turns::Wake() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void Turns::Give() {
  const std::lock_guard lock(mutex_);
  waiting_.pop_front();
  changed_.notify_all();
}

Turns::Turn::~Turn() {
  if (turns_ != nullptr) turns_->Give();
}

}  // namespace nodecore::tpm
