// Kernel modules.
#pragma once

namespace nodecore::init {

// Inserts the files of /modules.list, which is in order of dependency. The root cannot be mounted without any of them.
void InsertEarlyModules();

// Loads the modules that /usr/lib/nodeos/modules.list of the root names and those that present devices ask for by alias, with one
// process per processor. Repeats for devices on buses that a driver has just added.
void LoadModules();

}  // namespace nodecore::init
