import { encryption } from '../../encryption.ts';
import { optional, type Json } from '../../field/type.ts';

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
