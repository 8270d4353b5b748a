import { compareEntries, type EntryName } from '../entry-name.ts';
import { BootError } from '../errors.ts';
import { isImageVersion } from '../version.ts';
import type { GrubEnvironment } from './environment.ts';

/** The places of entries on a partition that GRUB starts from. */
export const slotNames = ['a', 'b'] as const;

export type SlotName = (typeof slotNames)[number];

/** Which entry is in which slot; an empty one is absent. */
export type Slots = ReadonlyMap<SlotName, EntryName>;

/** What stands for the counter of an entry that was found good. */
export const goodMark = 'good';
/** GRUB's language has no numbers: its menu knows the digits one by one. */
export const mostStarts = 9;

/** What the variables say. A slot whose variables make no sense is empty. */
export function slotsOf(environment: GrubEnvironment): Slots {
  const slots = new Map<SlotName, EntryName>();
  for (const slot of slotNames) {
    const [, imageVersion = '', sequence] =
      /^(.+)-(\d{1,9})$/u.exec(environment.get(`${slot}_entry`) ?? '') ?? [];
    const [left, done] = [environment.get(`${slot}_left`) ?? '', environment.get(`${slot}_done`) ?? ''];
    if (!isImageVersion(imageVersion)) continue;
    const entry = { imageVersion, sequence: Number(sequence) };
    if (left === goodMark) slots.set(slot, entry);
    else if (/^\d$/u.test(left) && /^\d$/u.test(done))
      slots.set(slot, { ...entry, tries: { left: Number(left), done: Number(done) } });
  }
  return slots;
}

/**
 * The variables of these slots. The one that the menu starts first is among them: GRUB can't compare versions.
 *
 * @throws {BootError} `ERR_BOOT_ENVIRONMENT` for more starts than GRUB can count.
 */
export function environmentOf(slots: Slots): GrubEnvironment {
  const order = [...slots].toSorted(([, left], [, right]) => compareEntries(left, right));
  const variables = new Map([['first', order[0]?.[0] ?? slotNames[0]]] as [string, string][]);
  for (const slot of slotNames) {
    const { imageVersion, sequence, tries } = slots.get(slot) ?? {};
    const { left = 0, done = 0 } = tries ?? {};
    if (left > mostStarts)
      throw new BootError('ERR_BOOT_ENVIRONMENT', `GRUB counts ${mostStarts} starts, and not ${left}`);
    const isGood = imageVersion !== undefined && tries === undefined;
    variables.set(`${slot}_entry`, imageVersion === undefined ? '' : `${imageVersion}-${sequence}`);
    variables.set(`${slot}_left`, isGood ? goodMark : String(left));
    variables.set(`${slot}_done`, String(Math.min(done, mostStarts)));
  }
  return variables;
}
