import { made } from './field/made.ts';
import { object } from './field/object.ts';
import { ruled } from './field/ruled.ts';
import { boolean } from './field/scalars.ts';
import { items, wholeNumber, withJson } from './field/shape.ts';
import { optional, type Type } from './field/type.ts';
import { kmsSource } from './key-kms.ts';
import { staticSource } from './key-static.ts';
import { tpmSource } from './key-tpm.ts';
import { type Place } from './place.ts';
import { type KeyEntry } from './types.ts';

/** LUKS2 has 32 key slots. */
const largestSlot = 31;

const sources = ['static', 'nodeID', 'kms', 'tpm'] as const;

const key = object({
  slot: optional('LUKS2 key slot', withJson(wholeNumber, { default: 0, minimum: 0, maximum: largestSlot })),
  static: optional('a passphrase in the configuration', staticSource),
  nodeID: optional('derived from the machine UUID and the volume', object({})),
  kms: optional('a random key, sealed by a key server', kmsSource),
  tpm: optional("a random key, sealed by the machine's TPM 2.0", tpmSource),
  lockToState: optional('needs a secret that lies on STATE as well', withJson(boolean, { default: false })),
});

const oneSource = { oneOf: sources.map((source) => ({ required: [source] })) };

const entry: Type<KeyEntry> = made(
  ruled(withJson(key, oneSource), checkSource),
  ({ slot = 0, lockToState = false, static: passphrase, kms, tpm }): KeyEntry => {
    const common = { slot, lockToState };
    if (passphrase !== undefined) return { ...common, kind: 'static', ...passphrase };
    if (kms !== undefined) return { ...common, kind: 'kms', ...kms };
    return tpm === undefined ? { ...common, kind: 'nodeID' } : { ...common, kind: 'tpm', ...tpm };
  },
);

/** `encryption.keys`, sorted by slot. */
export const encryptionKeys: Type<readonly KeyEntry[]> = made(
  ruled(items(entry, { minItems: 1, maxItems: 32 }, { by: 'slot' }), checkSlots),
  (keys, at) => {
    if (keys.length > 0 && keys.every(({ kind }) => kind === 'tpm'))
      at.warning(
        'encryption.tpm_only',
        'only the TPM opens this volume, and a firmware update locks it: add a recovery key or a second slot',
      );
    return keys.toSorted((a, b) => a.slot - b.slot);
  },
);

function checkSource(at: Place): void {
  if (!at.isMapping()) return;
  const given = sources.filter((name) => at.get(name) !== undefined);
  if (given.length === 0) at.problem('key.source_required', `a key needs one source: ${sources.join(', ')}`);
  if (given.length > 1)
    at.problem('key.source_ambiguous', `a key has exactly one source, this one has ${given.join(' and ')}`);
}

/** Each slot once; an entry without a number is in the first. */
function checkSlots(list: Place): void {
  const taken = new Set<number>();
  for (const item of list.items()) {
    const field = item.get('slot');
    const slot = field?.integer() ?? 0;
    const at = field ?? item;
    if (slot < 0 || slot > largestSlot)
      at.problem('key.slot_range', `a slot is between 0 and ${largestSlot}`);
    else if (taken.has(slot))
      at.problem(
        'key.slot_duplicate',
        `slot ${slot} is used by a key above${field === undefined ? '; 0 is the default' : ''}`,
      );
    taken.add(slot);
  }
}
