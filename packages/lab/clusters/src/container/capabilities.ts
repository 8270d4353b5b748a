/** Of capabilities(7), by the number of their bit. None sets this computer's clock, loads modules, reboots it, or opens files by handle. */
const wanted: Readonly<Record<string, number>> = {
  CAP_CHOWN: 0,
  CAP_DAC_OVERRIDE: 1,
  CAP_FOWNER: 3,
  CAP_FSETID: 4,
  CAP_KILL: 5,
  CAP_SETGID: 6,
  CAP_SETUID: 7,
  CAP_SETPCAP: 8,
  CAP_NET_BIND_SERVICE: 10,
  CAP_NET_ADMIN: 12,
  CAP_NET_RAW: 13,
  CAP_IPC_LOCK: 14,
  CAP_SYS_CHROOT: 18,
  CAP_SYS_PTRACE: 19,
  CAP_SYS_ADMIN: 21,
  CAP_SYS_RESOURCE: 24,
  CAP_MKNOD: 27,
};

/**
 * Capabilities of a node in a container, as far as the process that starts it can hand them on: one that is missing there would keep
 * the container from starting.
 *
 * @param status `/proc/self/status` of that process
 */
export function nodeCapabilities(status: string): readonly string[] {
  const bounding = BigInt(`0x${/^CapBnd:\s*([\da-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return Object.entries(wanted).flatMap(([name, bit]) => ((bounding >> BigInt(bit)) & 1n ? [name] : []));
}
