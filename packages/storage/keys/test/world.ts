import { create, type KeyContext, type KeySpec, synchronise, type SyncReport, unlock } from '../src/index.ts';
import { candidatesOf } from '../src/candidates.ts';
import { recoverFrom } from '../src/recover.ts';
import type { SyncOptions } from '../src/index.ts';
import type { ExecutionContext } from 'ava';

import { FakeHeader } from './fake-header.ts';

/** A header whose keys are all in force, as a first boot leaves it. */
export async function provisioned(specs: readonly KeySpec[], context: KeyContext): Promise<FakeHeader> {
  const header = new FakeHeader();
  const [first, ...rest] = specs;
  if (first === undefined) return header;
  using key = await create(first, context);
  header.keys.set(first.slot, Buffer.from(key.key.bytes));
  if (key.token !== undefined) {
    header.stored.set(first.slot, { ...key.token, keyslots: [String(first.slot)] });
  }
  const report = await synchronise(header, [first, ...rest], context, {
    slot: first.slot,
    key: key.key,
    spec: first,
  });
  if (report.failed.length > 0) throw new Error(`the header can't be made: ${report.failed[0]?.message}`);
  return header;
}

/** What a boot does: unlock, then synchronise. */
export async function boot(
  header: FakeHeader,
  specs: readonly KeySpec[],
  context: KeyContext,
  { previous = [], ...options }: SyncOptions & { previous?: readonly KeySpec[] } = {},
): Promise<SyncReport> {
  using opener = await unlock(header, specs, context, { previous });
  return await synchronise(header, specs, context, opener, options);
}

/** The keyslots that open with what is configured, or was before. */
export async function waysIn(
  header: FakeHeader,
  specs: readonly KeySpec[],
  context: KeyContext,
): Promise<ReadonlySet<number>> {
  const state = await header.read();
  const slots = new Set<number>();
  for (const spec of specs) {
    for (const { token, slots: places } of candidatesOf(spec, state)) {
      const key = await recoverFrom(spec, context, token, {}).catch(() => undefined);
      for (const slot of places) if (key !== undefined && (await header.test({ slot, key }))) slots.add(slot);
      key?.[Symbol.dispose]();
    }
  }
  return slots;
}

/** Each configured key opens its own slot, and of ours there is nothing else. */
export async function assertSettled(
  t: ExecutionContext,
  header: FakeHeader,
  specs: readonly KeySpec[],
  context: KeyContext,
  foreign: readonly number[] = [],
): Promise<void> {
  const slots = specs.map(({ slot }) => slot).sort((a, b) => a - b);
  t.deepEqual(
    [...(await waysIn(header, specs, context))].sort((a, b) => a - b),
    slots,
  );
  t.deepEqual(
    header.slots,
    [...slots, ...foreign].sort((a, b) => a - b),
  );
  const own = header.tokens.filter(
    ({ json }) => json.type.startsWith('nodecore-') || json.type === 'systemd-tpm2',
  );
  const sealed = specs.filter(({ kind }) => kind === 'tpm' || kind === 'kms').map(({ slot }) => String(slot));
  const assigned = own
    .filter(({ json }) => json.type !== 'nodecore-keys')
    .map(({ json }) => json.keyslots.join(' and '));
  t.deepEqual(
    assigned.toSorted((a, b) => a.localeCompare(b)),
    sealed.toSorted((a, b) => a.localeCompare(b)),
    'a token for each sealed key, assigned to its slot, and no other',
  );
  const records = own.filter(({ json }) => json.type === 'nodecore-keys');
  t.deepEqual(
    records.map(({ json }) => json['slots']),
    [slots],
    'one record of what is ours',
  );
}
