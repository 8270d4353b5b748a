import { z, type ZodObject, type ZodRawShape } from 'zod';

import { secretText } from './common.ts';

/*
 * `meta` is for editors alone: readEncryption checks the same rules, and reports them with a better message and the
 * column.
 */

const oneSource = ['static', 'nodeID', 'kms', 'tpm'].map((source) => ({ required: [source] }));

const staticSource = z.strictObject({
  passphrase: secretText('used byte for byte').meta({ minLength: 1 }),
});

const kmsSource = z.strictObject({
  endpoint: z.string().meta({
    pattern: String.raw`^([A-Za-z]+://)?[^/?#@\s]+$`,
    description: 'grpcs://host:port or https://host:port with TLS, grpc://host:port without',
    examples: ['grpcs://kms.example:4050'],
  }),
});

const tpmSource = z.strictObject({
  options: z
    .strictObject({
      pcrs: z
        .array(z.int().meta({ minimum: 0, maximum: 23 }))
        .optional()
        .meta({ default: [7], description: 'PCRs whose values the key is bound to; an empty list: none' }),
    })
    .optional(),
  checkSecurebootStatusOnEnroll: z
    .boolean()
    .optional()
    .meta({ default: false, description: 'make no key while Secure Boot is off' }),
});

const encryptionKey = z
  .strictObject({
    slot: z.int().optional().meta({ default: 0, minimum: 0, maximum: 31, description: 'LUKS2 key slot' }),
    static: staticSource.optional().meta({ description: 'a passphrase in the configuration' }),
    nodeID: z
      .strictObject({})
      .optional()
      .meta({ description: 'derived from the machine UUID and the volume' }),
    kms: kmsSource.optional().meta({ description: 'a random key, sealed by a key server' }),
    tpm: tpmSource.optional().meta({ description: "a random key, sealed by the machine's TPM 2.0" }),
    lockToState: z
      .boolean()
      .optional()
      .meta({ default: false, description: 'needs a secret that lies on STATE as well' }),
  })
  .meta({ oneOf: oneSource });

const aes = 'aes-xts-plain64';

/** The `encryption` block of a volume; `provider` and `keys` are optional to zod, as `readEncryption` reports them missing. */
export const encryption: ZodObject<ZodRawShape> = z
  .strictObject({
    provider: z.literal('luks2').optional(),
    keys: z.array(encryptionKey).optional().meta({ minItems: 1, maxItems: 32 }),
    cipher: z
      .enum([aes, 'xchacha12,aes-adiantum-plain64', 'xchacha20,aes-adiantum-plain64'])
      .optional()
      .meta({ default: aes }),
    keySize: z
      .int()
      .optional()
      .meta({ enum: [256, 512], description: 'bits; 512 or 256 for aes-xts, 256 for adiantum' }),
    blockSize: z
      .int()
      .optional()
      .meta({ enum: [512, 1024, 2048, 4096], description: 'encryption sector in bytes' }),
    options: z
      .array(z.enum(['no_read_workqueue', 'no_write_workqueue', 'same_cpu_crypt']))
      .optional()
      .meta({ uniqueItems: true }),
    allowDiscards: z
      .boolean()
      .optional()
      .meta({ default: false, description: 'pass discards on: the disk learns which blocks are in use' }),
    allowStaticState: z.boolean().optional().meta({
      default: false,
      description: 'of STATE alone: its passphrase lies beside it in clear, and who has the disk opens it',
    }),
  })
  .meta({
    required: ['provider', 'keys'],
    if: { required: ['cipher'], properties: { cipher: { not: { const: aes } } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { keySize: { const: 256 } } },
  });

/** JSON Schema of STATE, opened before documents can be read: no lock to itself, no passphrase without `allowStaticState`. */
export const keysOfState: object = {
  properties: { keys: { items: { properties: { lockToState: { const: false } } } } },
  anyOf: [
    { required: ['allowStaticState'], properties: { allowStaticState: { const: true } } },
    { properties: { keys: { items: { not: { required: ['static'] } } } } },
  ],
};
