import { subsets } from '@nodecore/testkit/subsets';

import type { RecordEntry } from './record-format.ts';

/** What a device may hold after the power went away: these entries took effect, in this order, and no others. */
export type CrashState = {
  /** Where in the record, in words for a report. */
  readonly name: string;
  /** Entries up to here, without it, are all there. */
  readonly durable: number;
  /** Places of later entries that are there besides. */
  readonly also: readonly number[];
};

/**
 * The states that a power cut can leave, given the entries of an operation.
 *
 * Every prefix in the order in which the requests ended. Beyond that, what a device with a volatile cache may do between
 * two flushes: any subset of the writes of the span got there (a sample of them when there are more than 64). A write
 * with FUA is durable by itself, so no state misses it once something after it is there. Sorted by `durable`; states that
 * leave the same bytes appear once.
 */
export function crashStates(entries: readonly RecordEntry[]): CrashState[] {
  const first = entries[0]?.index ?? 0;
  const states: CrashState[] = [{ name: `before ${first}`, durable: first, also: [] }];
  for (const { index, length } of entries) {
    if (length > 0) states.push({ name: `up to ${index}`, durable: index + 1, also: [] });
  }
  for (const span of spans(entries)) states.push(...reordered(span));
  const seen = new Set<string>();
  const isNew = (state: CrashState): boolean => {
    const key = visible(entries, state);
    return seen.size < seen.add(key).size;
  };
  return states.filter(isNew).sort((a, b) => a.durable - b.durable);
}

/** Runs of writes with no flush between them. A flush covers what ended before it. */
function spans(entries: readonly RecordEntry[]): RecordEntry[][] {
  const found: RecordEntry[][] = [];
  let span: RecordEntry[] = [];
  for (const entry of entries) {
    if (entry.flush) {
      found.push(span);
      span = [];
    }
    if (entry.length > 0) span.push(entry);
  }
  found.push(span);
  return found.filter(({ length }) => length > 1);
}

function* reordered(span: readonly RecordEntry[]): Generator<CrashState> {
  const durable = span[0]?.index ?? 0;
  const last = span.at(-1)?.index ?? 0;
  for (const places of subsets(span.length, { seed: durable })) {
    const latest = places.at(-1) ?? -1;
    const also = span
      .filter(({ fua }, place) => places.includes(place) || (fua && place < latest))
      .map(({ index }) => index);
    yield { name: `${also.join(', ') || 'nothing'} of ${durable} to ${last}`, durable, also };
  }
}

/** The places of the writes of a state that a later one has not covered. */
function visible(entries: readonly RecordEntry[], { durable, also }: CrashState): string {
  const found: RecordEntry[] = [];
  for (const entry of entries.toReversed()) {
    if (entry.length === 0 || (entry.index >= durable && !also.includes(entry.index))) continue;
    const end = entry.offset + entry.length;
    const isCovered = found.some(({ offset, length }) => offset <= entry.offset && end <= offset + length);
    if (!isCovered) found.push(entry);
  }
  return found.map(({ index }) => index).join(' ');
}
