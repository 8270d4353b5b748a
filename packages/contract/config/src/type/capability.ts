import { choice } from '../field/scalars.ts';
import { type Type } from '../field/type.ts';

/** Capabilities of Linux without their prefix (capabilities(7)). */
const words = [
  'AUDIT_CONTROL AUDIT_READ AUDIT_WRITE BLOCK_SUSPEND BPF CHECKPOINT_RESTORE CHOWN DAC_OVERRIDE',
  'DAC_READ_SEARCH FOWNER FSETID IPC_LOCK IPC_OWNER KILL LEASE LINUX_IMMUTABLE MAC_ADMIN MAC_OVERRIDE',
  'MKNOD NET_ADMIN NET_BIND_SERVICE NET_BROADCAST NET_RAW PERFMON SETFCAP SETGID SETPCAP SETUID SYSLOG',
  'SYS_ADMIN SYS_BOOT SYS_CHROOT SYS_MODULE SYS_NICE SYS_PACCT SYS_PTRACE SYS_RAWIO SYS_RESOURCE',
  'SYS_TIME SYS_TTY_CONFIG WAKE_ALARM',
].flatMap((line) => line.split(' '));

/** A capability: `NET_ADMIN`. */
export const capability: Type<string> & { readonly words: readonly string[] } = {
  ...choice(...words),
  words,
};
