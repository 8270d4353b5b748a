// The keeper's loop: a program's output, its end and its clients, until nothing of the program is left.
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
  // @param lock of the directory; released before any client hears that the program has ended.
  Keeper(const Options& options, int lock) : options_(options), lock_(lock) {}
  // Starts the program, says so on standard output and runs until it has ended. @returns the exit code.
  int Run();

 private:
  bool Prepare();
  void Wait();
  void HearSignals();
  void Hear(std::string_view line);
  // @returns whether more may be pending.
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
  // Its parent has died and the directory may be gone: writes nothing there any more.
  bool is_abandoned_ = false;
  // When a program that was asked to end is killed.
  std::optional<long long> kill_at_;
  bool has_news_ = false;
  long long told_ms_ = 0;
};

}  // namespace nodecore::keeper
