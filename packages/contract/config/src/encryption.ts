import { made } from './field/made.ts';
import { Mistake } from './field/mistake.ts';
import { object } from './field/object.ts';
import { ruled } from './field/ruled.ts';
import { boolean, choice } from './field/scalars.ts';
import { items, wholeNumber, withJson } from './field/shape.ts';
import { optional, type Type } from './field/type.ts';
import { encryptionKeys } from './encryption-keys.ts';
import { checkStaticOfState } from './key-static.ts';
import { warnKmsOfState } from './key-kms.ts';
import { type Place } from './place.ts';
import { type Cipher, type Encryption } from './types.ts';

/*
 * JSON Schema beyond the fields is for editors alone: the rules below report the same, with a better message and the column.
 */

const aes = 'aes-xts-plain64';

/** Key sizes in bits that a cipher takes; the first is the default. */
const keySizes: Readonly<Record<Cipher, readonly number[]>> = {
  [aes]: [512, 256],
  'xchacha12,aes-adiantum-plain64': [256],
  'xchacha20,aes-adiantum-plain64': [256],
};
const blockSizes = [512, 1024, 2048, 4096];

const blockSize = made(withJson(wholeNumber, { enum: blockSizes }), (bytes) =>
  blockSizes.includes(bytes)
    ? bytes
    : new Mistake('encryption.block_size', `must be ${blockSizes.join(', ')} bytes`),
);

const option = choice('no_read_workqueue', 'no_write_workqueue', 'same_cpu_crypt');

const block = withJson(
  object({
    provider: optional('the format', choice('luks2')),
    keys: optional('what opens the volume, one for each slot', encryptionKeys),
    cipher: optional(
      'how data is encrypted',
      withJson(choice(aes, 'xchacha12,aes-adiantum-plain64', 'xchacha20,aes-adiantum-plain64'), {
        default: aes,
      }),
    ),
    keySize: optional(
      'bits; 512 or 256 for aes-xts, 256 for adiantum',
      withJson(wholeNumber, { enum: [256, 512] }),
    ),
    blockSize: optional('encryption sector in bytes', blockSize),
    options: optional(
      'how the kernel does its work',
      ruled(items(option, { uniqueItems: true }), checkOptions),
    ),
    allowDiscards: optional(
      'pass discards on: the disk learns which blocks are in use',
      withJson(boolean, { default: false }),
    ),
    allowStaticState: optional(
      'of STATE alone: its passphrase lies beside it in clear, and who has the disk opens it',
      withJson(boolean, { default: false }),
    ),
  }),
  {
    required: ['provider', 'keys'],
    if: { required: ['cipher'], properties: { cipher: { not: { const: aes } } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { keySize: { const: 256 } } },
  },
);

/** The `encryption` block of a volume, which {@link checkEncryption} looks at as a whole. */
export const encryption: Type<Encryption> = made(
  ruled(block, checkKeySize),
  ({ keys = [], cipher = aes, keySize, blockSize: bytes, options = [], allowDiscards = false }) => ({
    provider: 'luks2' as const,
    keys,
    cipher,
    keySizeBits: keySize ?? keySizes[cipher][0] ?? 0,
    ...(bytes === undefined ? {} : { blockSize: bytes }),
    options,
    allowDiscards,
  }),
);

/** Of a cipher that there is; another has been reported. */
function checkKeySize(at: Place): void {
  const cipher = at.get('cipher')?.text() ?? aes;
  const field = at.get('keySize');
  const bits = field?.integer();
  const accepted = Object.hasOwn(keySizes, cipher) ? keySizes[cipher as Cipher] : undefined;
  if (bits === undefined || accepted === undefined || accepted.includes(bits)) return;
  const sizes = accepted.toSorted((a, b) => a - b).join(' or ');
  field?.problem('encryption.key_size', `${cipher} takes a key of ${sizes} bits`);
}

function checkOptions(list: Place): void {
  const given = new Set<string>();
  for (const item of list.items()) {
    const name = item.text();
    if (name === undefined) continue;
    if (given.has(name)) item.problem('encryption.option_duplicate', 'this option is given twice');
    given.add(name);
  }
}

/**
 * Reports what a volume that may be encrypted lacks or has too much. A block that is there means encryption is wanted: without provider
 * or keys it is a mistake, never silently no encryption.
 *
 * @param options.state STATE is opened before any document can be read, so its rules are stricter.
 */
export function checkEncryption(volume: Place, { state }: { readonly state: boolean }): void {
  const at = volume.get('encryption');
  if (at === undefined || !at.isMapping()) return;
  if (at.get('provider') === undefined)
    at.problemAt('provider', 'encryption.provider_required', 'encryption needs a provider: luks2');
  const keys = at.get('keys');
  if ((keys?.items() ?? []).length === 0)
    (keys ?? at).problem('encryption.keys_required', 'encryption needs at least one key');
  if (state) checkKeysOfState(at);
  // Elsewhere a passphrase lies on STATE: who consents to more there takes the volume for another.
  else
    at.get('allowStaticState')?.problem(
      'encryption.consent_elsewhere',
      'this is for STATE alone; take it out',
    );
}

function checkKeysOfState(block: Place): void {
  const allowStaticState = block.get('allowStaticState')?.boolean() ?? false;
  for (const key of block.get('keys')?.items() ?? []) {
    const [passphrase, kms, lock] = [key.get('static'), key.get('kms'), key.get('lockToState')];
    if (lock?.boolean() === true)
      lock.problem('key.lock_to_state_on_state', 'STATE can not be locked to a secret inside itself');
    if (passphrase !== undefined) checkStaticOfState(passphrase, allowStaticState);
    if (kms !== undefined) warnKmsOfState(kms);
  }
}

/** Its keys as STATE has them: a passphrase lies beside it in clear. */
export function encryptionOfState(read: Encryption): Encryption {
  const keys = read.keys.map((key) => (key.kind === 'static' ? { ...key, inClear: true as const } : key));
  return { ...read, keys };
}
