const pattern = /^(?=.{1,128}$)[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/;

/** Whether schematics may use it: parts of letters, digits, `_`, `.` and `-`, as `os/btrfs`. */
export function isExtensionName(name: string): boolean {
  return pattern.test(name);
}
