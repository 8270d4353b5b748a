// One loop over a program's output, its end, and those who ask; until nothing of the program is left.
#pragma once

#include <optional>
#include <string_view>

#include "clients.h"
#include "log_ring.h"
#include "options.h"
#include "program.h"

namespace nodecore::keeper {

class Keeper {
 public:
  // @param lock of the directory; it is given back before anybody hears that the program has ended.
  Keeper(const Options& options, int lock) : options_(options), lock_(lock) {}
  // Starts the program and says so on standard output; then until it has ended. @returns the exit code.
  int Run();

 private:
  bool Prepare();
  void Wait();
  void HearSignals();
  void Hear(std::string_view line);
  // @returns whether more may come at once.
  bool ReadOutput();
  void TellOfLog();
  void Conclude();

  const Options& options_;
  const int lock_;
  Program program_;
  LogRing log_;
  std::optional<Clients> clients_;
  int signals_ = -1;
  int output_ = -1;
  End end_;
  bool has_ended_ = false;
  // Who started it has died, and the directory may be gone with it: nothing is written there any more.
  bool is_abandoned_ = false;
  // When what was asked to end is made to.
  std::optional<long long> kill_at_;
  bool has_news_ = false;
  long long told_ms_ = 0;
};

}  // namespace nodecore::keeper
