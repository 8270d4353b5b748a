import { readdirSync, readlinkSync } from 'node:fs';

/** The open descriptors of this process, by number, with what each points to. */
export function openDescriptors(): ReadonlyMap<number, string> {
  const descriptors = new Map<number, string>();
  for (const name of readdirSync('/proc/self/fd')) {
    try {
      descriptors.set(Number(name), readlinkSync(`/proc/self/fd/${name}`));
    } catch {
      // The descriptor that readdir itself used is gone by now.
    }
  }
  return descriptors;
}

/** What is open now and was not before, as `number → target`; empty when nothing leaked. */
export function leakedDescriptors(before: ReadonlyMap<number, string>): string[] {
  return [...openDescriptors()]
    .filter(([number, target]) => before.get(number) !== target)
    .map(([number, target]) => `${number} → ${target}`);
}
