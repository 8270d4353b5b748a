import type { Secret } from '@nodecore/sys';

import { KeysError } from './errors.ts';
import type { KeyContext, KeySpec } from './key-spec.ts';
import { joined } from './key-text.ts';

const saltBytes = 32;

/** The salt that a key is locked with; undefined when it is not locked. Asked before anybody is asked for a key. */
export function lockOf(spec: KeySpec, { salt }: KeyContext): Secret | undefined {
  if (spec.lockToState !== true) return undefined;
  if (salt === undefined) {
    throw new KeysError('ERR_KEYS_SALT_MISSING', 'it is locked to STATE, whose salt is not there yet', spec);
  }
  if (salt.sizeBytes !== saltBytes) {
    const what = `the salt of STATE has ${salt.sizeBytes} bytes in place of ${saltBytes}`;
    throw new KeysError('ERR_KEYS_SALT_MISSING', what, { ...spec, permanence: 'needs-operator' });
  }
  return salt;
}

/** The key with the salt behind it. Takes the key over. */
export function locked(key: Secret, salt: Secret | undefined): Secret {
  if (salt === undefined) return key;
  using part = key;
  return joined(part, salt);
}
