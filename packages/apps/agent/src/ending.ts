/**
 * What comes after the agent has ended: another life of it, or the end of the machine's. `kexec` starts the kernel that was loaded,
 * `reboot` goes through the firmware.
 */
export type Ending = 'restart' | 'reboot' | 'kexec' | 'poweroff' | 'halt';

/** What PID 1 does at once, whatever still runs. */
export type ForcedEnding = 'force-reboot' | 'force-poweroff' | 'force-halt';
