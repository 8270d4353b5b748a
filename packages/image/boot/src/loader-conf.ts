/** What the boot loader does with keys that lie beside it while the firmware is in setup mode. */
export type SecureBootEnrollment = (typeof secureBootEnrollments)[number];

export const secureBootEnrollments = ['off', 'manual', 'if-safe', 'force'] as const;

/**
 * The text of `loader.conf`. Nobody edits a command line at the console, and an entry that the firmware refuses is
 * not the end: the machine starts anew, and the entry has one start less.
 */
export function loaderConf(enrollment: SecureBootEnrollment = 'off'): string {
  return [
    'timeout 0',
    'editor no',
    'auto-firmware no',
    'reboot-on-error yes',
    `secure-boot-enroll ${enrollment}`,
    '',
  ].join('\n');
}
