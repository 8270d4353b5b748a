import { object } from '../../field/object.ts';
import { boolean, choice } from '../../field/scalars.ts';
import { hiddenText, items, textLike, wholeNumber, withJson } from '../../field/shape.ts';
import { optional, required, type Json } from '../../field/type.ts';

/*
 * JSON Schema beyond the fields is for editors alone: readEncryption checks the same rules, and reports them with a better
 * message and the column.
 */

const staticSource = object({
  passphrase: required('used byte for byte', withJson(hiddenText, { minLength: 1 })),
});

const kmsSource = object({
  endpoint: required(
    'grpcs://host:port or https://host:port with TLS, grpc://host:port without',
    withJson(textLike(String.raw`^([A-Za-z]+://)?[^/?#@\s]+$`), { examples: ['grpcs://kms.example:4050'] }),
  ),
});

const pcrs = items(withJson(wholeNumber, { minimum: 0, maximum: 23 }), { default: [7] });

const tpmSource = object({
  options: optional(
    'what the key is bound to',
    object({ pcrs: optional('PCRs whose values the key is bound to; an empty list: none', pcrs) }),
  ),
  checkSecurebootStatusOnEnroll: optional(
    'make no key while Secure Boot is off',
    withJson(boolean, { default: false }),
  ),
});

const key = object({
  slot: optional('LUKS2 key slot', withJson(wholeNumber, { default: 0, minimum: 0, maximum: 31 })),
  static: optional('a passphrase in the configuration', staticSource),
  nodeID: optional('derived from the machine UUID and the volume', object({})),
  kms: optional('a random key, sealed by a key server', kmsSource),
  tpm: optional("a random key, sealed by the machine's TPM 2.0", tpmSource),
  lockToState: optional('needs a secret that lies on STATE as well', withJson(boolean, { default: false })),
});

const oneSource = { oneOf: ['static', 'nodeID', 'kms', 'tpm'].map((source) => ({ required: [source] })) };
const aes = 'aes-xts-plain64';

const ciphers = choice(aes, 'xchacha12,aes-adiantum-plain64', 'xchacha20,aes-adiantum-plain64');
const options = choice('no_read_workqueue', 'no_write_workqueue', 'same_cpu_crypt');

/** The `encryption` block of a volume; its reader reports a missing provider and missing keys. */
const encryption = withJson(
  object({
    provider: optional('the format', choice('luks2')),
    keys: optional(
      'what opens the volume, one for each slot',
      items(withJson(key, oneSource), { minItems: 1, maxItems: 32 }, { by: 'slot' }),
    ),
    cipher: optional('how data is encrypted', withJson(ciphers, { default: aes })),
    keySize: optional(
      'bits; 512 or 256 for aes-xts, 256 for adiantum',
      withJson(wholeNumber, { enum: [256, 512] }),
    ),
    blockSize: optional(
      'encryption sector in bytes',
      withJson(wholeNumber, { enum: [512, 1024, 2048, 4096] }),
    ),
    options: optional('how the kernel does its work', items(options, { uniqueItems: true })),
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

/** The block as a field. */
export const encryptionField = optional('how the volume is encrypted, and what opens it', encryption);

/** JSON Schema of STATE, opened before documents can be read: no lock to itself, no passphrase without `allowStaticState`. */
export const keysOfState: Json = {
  properties: { keys: { items: { properties: { lockToState: { const: false } } } } },
  anyOf: [
    { required: ['allowStaticState'], properties: { allowStaticState: { const: true } } },
    { properties: { keys: { items: { not: { required: ['static'] } } } } },
  ],
};
