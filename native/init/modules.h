// Kernel modules.
#pragma once

#include <functional>

namespace nodecore::init {

// Inserts the files of /modules.list, which is in order of dependency. The root cannot be mounted without any of them.
void InsertEarlyModules();

// Loads the modules that /usr/lib/nodeos/modules.list of the root names and those that present devices ask for by alias, with one
// process per processor. Repeats for devices on buses that a driver has just added.
// look: called after each round, and every 100 ms while one lasts.
void LoadModules(const std::function<void()>& look);

}  // namespace nodecore::init
