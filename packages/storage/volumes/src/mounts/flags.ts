import type { MountFlags } from '../spec.ts';

const names = ['readOnly', 'nosuid', 'nodev', 'noexec', 'noatime'] as const;

export function sameFlags(left: MountFlags, right: MountFlags): boolean {
  return names.every((name) => left[name] === right[name]);
}
