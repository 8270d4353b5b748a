// Drivers.
#pragma once

namespace nodecore::init {

// Inserts the files of /modules.list, which stand in the order in which they need each other. What the root is made of can't do
// without any of them.
void InsertEarlyModules();

// Loads what /usr/lib/nodeos/modules.list of the root names, and what the devices that are there ask for by their aliases, in as
// many processes as the machine has processors. A bus that a driver brings has devices of its own: they are asked, too.
void LoadModules();

}  // namespace nodecore::init
