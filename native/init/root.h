// The read-only root: layers of the initramfs in an overlay.
#pragma once

namespace nodecore::init {

// Mounts the layers of /layers.list on /new; without that file, /rootfs.sqsh alone.
void LayRoot();

// Makes /new the root, with /dev, /proc, /sys and a /run that has what the boot stub left for the agent. Frees what the
// initramfs still holds, except the images that the root is read from.
void EnterRoot();

}  // namespace nodecore::init
