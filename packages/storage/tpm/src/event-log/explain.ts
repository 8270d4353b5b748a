import { normalizePcrs } from '../banks.ts';
import type { Measured } from '../measured.ts';
import { variableOf } from './describe.ts';
import { eventType } from './event-types.ts';
import type { EventLog } from './parse.ts';
import { type EventSummary, summaries } from './summary.ts';

/** One difference between what was measured then and what is measured now. */
export type Change = {
  readonly pcr: number;
  readonly kind: 'appeared' | 'disappeared' | 'changed' | 'reordered';
  /** What it is about: `SecureBoot`, `db`, `\EFI\BOOT\BOOTX64.EFI`; the event's type when it has no better name. */
  readonly what: string;
  /** For people: `PCR 7: SecureBoot changed (now off)`. */
  readonly words: string;
};

/** What registers are for, where an event has no better name (TCG PC Client Platform Firmware Profile, 3.3.4). */
const purposes: ReadonlyMap<number, string> = new Map([
  [0, 'firmware'],
  [1, "the firmware's settings"],
  [2, 'firmware of an extension'],
  [3, 'settings of an extension'],
  [4, 'boot loader'],
  [5, 'partition table or boot settings'],
  [6, "the maker's settings"],
  [7, 'Secure Boot'],
  [8, 'boot loader commands'],
  [9, 'kernel or initrd'],
  [11, 'unified kernel image'],
  [12, 'kernel command line'],
  [14, 'machine owner keys'],
]);

/**
 * Which components of the boot differ between what was measured at one time and the present log. Registers of which nothing was
 * kept, or on which both agree, give no change.
 */
export function explain(then: Measured, now: EventLog, pcrs: readonly number[]): readonly Change[] {
  const present = summaries(now);
  return normalizePcrs(pcrs).flatMap((pcr) => {
    const before = then.events.filter((event) => event.pcr === pcr);
    const after = present.filter((event) => event.pcr === pcr);
    return before.length === 0 ? [] : changesOf(pcr, before, after, now);
  });
}

function changesOf(
  pcr: number,
  before: readonly EventSummary[],
  after: readonly EventSummary[],
  now: EventLog,
): readonly Change[] {
  const gone = without(before, after);
  const come = without(after, before);
  if (gone.length === 0 && come.length === 0) {
    const same = before.every((event, n) => identity(event) === identity(after[n]));
    return same ? [] : [change(pcr, 'reordered', 'the order of events', ' is another')];
  }
  const changes: Change[] = [];
  for (const event of gone) {
    const at = come.findIndex(({ type, what }) => type === event.type && what === event.what);
    if (at >= 0) come.splice(at, 1);
    changes.push(
      at >= 0
        ? change(pcr, 'changed', named(event), ` changed${presently(event, now)}`)
        : change(pcr, 'disappeared', named(event), ' is not there any more'),
    );
  }
  for (const event of come) changes.push(change(pcr, 'appeared', named(event), ' is new'));
  return changes;
}

/** What is in the first list more often than in the second, in its order. */
function without(list: readonly EventSummary[], other: readonly EventSummary[]): EventSummary[] {
  const counts = new Map<string, number>();
  for (const event of other) counts.set(identity(event), (counts.get(identity(event)) ?? 0) + 1);
  return list.filter((event) => {
    const count = counts.get(identity(event)) ?? 0;
    counts.set(identity(event), count - 1);
    return count <= 0;
  });
}

function identity(event: EventSummary | undefined): string {
  return event === undefined ? '' : JSON.stringify([event.type, event.digest, event.what]);
}

function named({ pcr, type, what }: EventSummary): string {
  if (type === 'EFI_VARIABLE_AUTHORITY') return `the certificate that vouches for an image (${what || 'db'})`;
  return what || `${purposes.get(pcr) ?? 'something'} (${type})`;
}

/** The variable's value, where it says more than that it changed. */
function presently({ type, what }: EventSummary, now: EventLog): string {
  if (type !== 'EFI_VARIABLE_DRIVER_CONFIG' || what !== 'SecureBoot') return '';
  for (const event of now.events) {
    if (event.type !== eventType.EFI_VARIABLE_DRIVER_CONFIG) continue;
    const variable = variableOf(event.data);
    if (variable?.name === what) return variable.value[0] === 1 ? ' (now on)' : ' (now off)';
  }
  return '';
}

function change(pcr: number, kind: Change['kind'], what: string, words: string): Change {
  return { pcr, kind, what, words: `PCR ${pcr}: ${what}${words}` };
}
