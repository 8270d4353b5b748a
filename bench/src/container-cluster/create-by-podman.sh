# Makes a network and two containers with podman, waits until they answer, and takes them away. Prints milliseconds of both.
#   unshare --mount --net --pid --fork --kill-child --mount-proc bash create-by-podman.sh PODMAN WORK ROOT COMMAND…
# PODMAN has the programs, WORK is for what they keep; ROOT is the root of the containers.
set -euo pipefail
programs=$1 work=$2 root=$3
shift 3
# Of what this computer has nothing is touched: mounts and the network are this script's own. crun wants no second version of cgroups.
if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi
mkdir -p /run/netns
mount -t tmpfs none /run/netns
ip link set lo up
export LD_LIBRARY_PATH=$programs/lib PATH=$programs:/usr/sbin:/usr/bin:/sbin:/bin
mkdir -p "$work/net"
cat >"$work/containers.conf" <<END
[engine]
cgroup_manager = "cgroupfs"
conmon_path = ["$programs/conmon"]
helper_binaries_dir = ["$programs"]
runtime = "crun"
events_logger = "none"
[engine.runtimes]
crun = ["/usr/bin/crun"]
[network]
network_backend = "netavark"
network_config_dir = "$work/net"
END
export CONTAINERS_CONF=$work/containers.conf
podman=(podman --root "$work/root" --runroot "$work/run" --tmpdir "$work/tmp" --storage-driver vfs --log-level error)

now() { echo $((${EPOCHREALTIME/./} / 1000)); }

began=$(now)
"${podman[@]}" network create --subnet 10.181.0.0/24 bench >/dev/null
for number in 2 3; do
  mkdir -p "$work/$number/state" "$work/$number/data"
  "${podman[@]}" run --detach --name "node$number" --hostname "node$number" --network bench --ip 10.181.0.$number \
    --cap-add ALL --security-opt seccomp=unconfined --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 \
    --memory 512m --cpus 2 --read-only --tmpfs /run --tmpfs /tmp \
    --volume "$work/$number/state:/system/state" --volume "$work/$number/data:/var" \
    --env PLATFORM=container --env NODE_COMPILE_CACHE=/usr/lib/nodeos/compile-cache --env NODE_OPTIONS=--max-semi-space-size=2 \
    --rootfs "$root" "$@" >/dev/null
done
exec 4<> <(:)
for number in 2 3; do
  until { exec 3<>"/dev/tcp/10.181.0.$number/50000"; } 2>/dev/null; do read -rt 0.02 -u 4 || true; done
done
created=$(now)
"${podman[@]}" rm --force --time 0 node2 node3 >/dev/null
"${podman[@]}" network rm bench >/dev/null
gone=$(now)
echo "$((created - began)) $((gone - created))"
