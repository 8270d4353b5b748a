import { agentDirectory, agentFile } from './bundle.ts';

/** Of capabilities(7), by who needs them; a manifest of an extension names none. */
const rights = {
  /** Those of its unit; by `SYS_BOOT` it loads the kernel that PID 1 goes on with (kexec_file_load(2)). */
  agent:
    'chown dac_override dac_read_search fowner fsetid ipc_lock kill mknod net_admin net_bind_service net_raw ' +
    'setgid setpcap setuid sys_admin sys_boot sys_module sys_ptrace sys_resource syslog',
  /** The kernel keeps variables of the firmware immutable. */
  firmware: 'linux_immutable',
  /** The clock, and a root of their own. */
  services: 'sys_time sys_chroot',
  /** What they do to disks, schedulers and packets. */
  extensions: 'sys_rawio sys_nice bpf perfmon',
};

/** All of root's rights that the agent, and whatever it starts, may ever have in the image. */
export const agentCapabilities: readonly string[] = Object.values(rights).flatMap((each) => each.split(' '));

/**
 * How PID 1 starts the agent: an argument on each line.
 *
 * @param options of Node.js
 */
export function agentCommand(...options: readonly string[]): string {
  const bounding = ['-all', ...agentCapabilities.map((each) => `+${each}`)].join();
  const confined = ['/usr/bin/setpriv', '--no-new-privs', `--bounding-set=${bounding}`, '--'];
  return [...confined, '/usr/bin/node', ...options, `${agentDirectory}/${agentFile}`, '--image', ''].join(
    '\n',
  );
}
