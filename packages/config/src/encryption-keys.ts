import { type Cursor } from './cursor.ts';
import { type KeyEntry } from './types.ts';
import { type Vault } from './vault.ts';

export type EncryptionContext = {
  readonly vault: Vault;
  /** STATE is opened before any document can be read, so its rules are stricter. */
  readonly state: boolean;
};

/** LUKS2 has 32 key slots. */
const largestSlot = 31;
const sources = ['static', 'nodeID', 'kms', 'tpm'];
const sourcesNotOffered: ReadonlySet<string> = new Set(['kms', 'tpm']);
/** The TPM profile for PCs has 24 platform configuration registers. */
const largestPcr = 23;

/** Reads `encryption.keys`, sorted by slot. */
export function readKeys(block: Cursor, context: EncryptionContext): KeyEntry[] {
  const entries = block.get('keys')?.items() ?? [];
  const list = block.get('keys');
  if (entries.length === 0) {
    (list ?? block).problem('encryption.keys_required', 'encryption needs at least one key');
  }
  const slots = new Set<number>();
  const keys = entries.flatMap((entry) => {
    const slot = readSlot(entry, slots);
    return readKey(entry, slot, context) ?? [];
  });
  return keys.toSorted((a, b) => a.slot - b.slot);
}

function readSlot(entry: Cursor, taken: Set<number>): number {
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

function readKey(entry: Cursor, slot: number, context: EncryptionContext): KeyEntry | undefined {
  if (!entry.isMapping()) return undefined;
  const given = sources.filter((source) => entry.get(source) !== undefined);
  const listed = sources.join(', ');
  if (given.length === 0) entry.problem('key.source_required', `a key needs one source: ${listed}`);
  if (given.length > 1) {
    entry.problem(
      'key.source_ambiguous',
      `a key has exactly one source, this one has ${given.join(' and ')}`,
    );
  }
  checkNotOffered(entry, context.state);
  if (given[0] === 'nodeID') return { slot, kind: 'nodeID' };
  return entry.get('static') === undefined ? undefined : readStatic(entry, slot, context);
}

function readStatic(entry: Cursor, slot: number, { vault, state }: EncryptionContext): KeyEntry | undefined {
  const field = entry.get('static')?.get('passphrase');
  const text = field?.text();
  if (state) {
    // The settings of STATE must be readable before STATE is open: a passphrase would lie beside it in clear.
    const message =
      'STATE takes no static key: its passphrase would have to be stored beside it in clear; use nodeID';
    entry.problemAt('static', 'key.static_on_state', message);
  }
  if (text === undefined) return undefined;
  if (text === '') field?.problem('key.passphrase_empty', 'the passphrase is empty');
  return { slot, kind: 'static', passphrase: vault.keep(text) };
}

function checkNotOffered(entry: Cursor, state: boolean): void {
  for (const source of sourcesNotOffered) {
    entry
      .get(source)
      ?.problem(
        'key.kind_not_offered',
        `${source} keys are not offered by this version; use static or nodeID`,
      );
  }
  const lock = entry.get('lockToState');
  if (lock?.boolean() === true) {
    if (state)
      lock.problem('key.lock_to_state_on_state', 'STATE can not be locked to a secret inside itself');
    else lock.problem('key.kind_not_offered', 'lockToState is not offered by this version');
  }
  for (const pcr of entry.get('tpm')?.get('options')?.get('pcrs')?.items() ?? []) {
    const index = pcr.integer();
    if (index !== undefined && (index < 0 || index > largestPcr)) {
      pcr.problem('key.pcr_range', `a PCR is between 0 and ${largestPcr}`);
    }
  }
}
