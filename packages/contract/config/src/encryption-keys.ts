import { type Place } from './place.ts';
import { type EncryptionContext } from './encryption-context.ts';
import { readKms, type KmsSource } from './key-kms.ts';
import { readStatic, type StaticSource } from './key-static.ts';
import { readTpm, type TpmSource } from './key-tpm.ts';
import { type KeyEntry } from './types.ts';

/** LUKS2 has 32 key slots. */
const largestSlot = 31;

type Source = StaticSource | { readonly kind: 'nodeID' } | KmsSource | TpmSource;
type Reader = (source: Place, context: EncryptionContext) => Source | undefined;

const readers: readonly (readonly [name: string, read: Reader])[] = [
  ['static', readStatic],
  ['nodeID', () => ({ kind: 'nodeID' })],
  ['kms', readKms],
  ['tpm', readTpm],
];

/** Reads `encryption.keys`, sorted by slot. */
export function readKeys(block: Place, context: EncryptionContext): KeyEntry[] {
  const list = block.get('keys');
  const entries = list?.items() ?? [];
  if (entries.length === 0) {
    (list ?? block).problem('encryption.keys_required', 'encryption needs at least one key');
  }
  const slots = new Set<number>();
  const keys = entries.flatMap((entry) => {
    const slot = readSlot(entry, slots);
    return readKey(entry, slot, context) ?? [];
  });
  if (keys.length > 0 && keys.length === entries.length && keys.every(({ kind }) => kind === 'tpm')) {
    const message =
      'only the TPM opens this volume, and a firmware update locks it: add a recovery key or a second slot';
    list?.warning('encryption.tpm_only', message);
  }
  return keys.toSorted((a, b) => a.slot - b.slot);
}

function readSlot(entry: Place, taken: Set<number>): number {
  const field = entry.get('slot');
  const slot = field?.integer() ?? 0;
  const at = field ?? entry;
  if (slot < 0 || slot > largestSlot) at.problem('key.slot_range', `a slot is between 0 and ${largestSlot}`);
  else if (taken.has(slot)) {
    at.problem(
      'key.slot_duplicate',
      `slot ${slot} is used by a key above${field === undefined ? '; 0 is the default' : ''}`,
    );
  }
  taken.add(slot);
  return slot;
}

/** Every source of an entry is checked, also where there is one too many; a key is what has exactly one. */
function readKey(entry: Place, slot: number, context: EncryptionContext): KeyEntry | undefined {
  if (!entry.isMapping()) return undefined;
  const given = readers.flatMap(([name, read]) => {
    const source = entry.get(name);
    return source === undefined ? [] : [{ name, read, source }];
  });
  if (given.length === 0) {
    const all = readers.map(([name]) => name).join(', ');
    entry.problem('key.source_required', `a key needs one source: ${all}`);
  }
  if (given.length > 1) {
    const all = given.map(({ name }) => name).join(' and ');
    entry.problem('key.source_ambiguous', `a key has exactly one source, this one has ${all}`);
  }
  const lockToState = readLock(entry, context.state);
  const read = given.map(({ read, source }) => read(source, context));
  const [only] = read;
  return only === undefined || read.length > 1 ? undefined : { slot, lockToState, ...only };
}

function readLock(entry: Place, state: boolean): boolean {
  const field = entry.get('lockToState');
  const lock = field?.boolean() ?? false;
  if (lock && state) {
    field?.problem('key.lock_to_state_on_state', 'STATE can not be locked to a secret inside itself');
  }
  return lock;
}
