// The root: layers of the first filesystem, laid over each other, which nobody can write.
#pragma once

namespace nodecore::init {

// Lays the layers of /layers.list, without that file /rootfs.sqsh alone, on /new.
void LayRoot();

// Makes /new the root, with /dev, /proc, /sys and a /run of its own that has what the boot stub left for the agent. What the first
// filesystem still held is given back, except the images themselves, which the root is read from.
void EnterRoot();

}  // namespace nodecore::init
