import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

import { TpmError } from './errors.ts';

/** An RSA key that signs for registers, as the TPM takes it. */
export type PublicKey = {
  readonly modulus: Uint8Array;
  /** Spelt out, also the default: it is part of the name, so as systemd has it. */
  readonly exponent: number;
  /** Name of the object that the TPM makes of it: hash algorithm ‖ SHA-256 of the public area. */
  readonly name: Uint8Array;
  /** SHA-256 of the key in PKCS #1 form, in hexadecimal: how signatures say whose they are. */
  readonly fingerprint: string;
};

/** userWithAuth, decrypt, sign (TPM 2.0 Part 2, 8.3): part of the name, so as systemd has them. */
const attributes = 0x0006_0040;

/** @throws {TpmError} `ERR_TPM_UNSUPPORTED` for what is no RSA key of 1024 to 4096 bits in PEM. */
export function publicKeyOf(pem: Uint8Array): PublicKey {
  const key = parse(pem);
  const { n, e } = key.export({ format: 'jwk' });
  const modulus = Buffer.from(n ?? '', 'base64url');
  const exponent = Buffer.from(e ?? '', 'base64url');
  if (modulus.length < 128 || modulus.length > 512 || exponent.length > 4) {
    throw new TpmError(
      'ERR_TPM_UNSUPPORTED',
      `a public key of ${modulus.length * 8} bits can't be in a policy`,
    );
  }
  const e32 = exponent.readUIntBE(0, exponent.length);
  return {
    modulus,
    exponent: e32,
    name: nameOf(modulus, e32),
    fingerprint: createHash('sha256')
      .update(key.export({ format: 'der', type: 'pkcs1' }))
      .digest('hex'),
  };
}

function parse(pem: Uint8Array): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey(Buffer.from(pem));
  } catch (cause) {
    throw new TpmError('ERR_TPM_UNSUPPORTED', 'the public key of the policy is not in PEM', { cause });
  }
  if (key.asymmetricKeyType !== 'rsa') {
    throw new TpmError(
      'ERR_TPM_UNSUPPORTED',
      `the public key of the policy is ${key.asymmetricKeyType}, not RSA`,
    );
  }
  return key;
}

/** TPMT_PUBLIC: RSA, SHA-256, attributes, no policy, no symmetric algorithm, no scheme, bits, exponent, modulus. */
function nameOf(modulus: Uint8Array, exponent: number): Uint8Array {
  const head = Buffer.alloc(22);
  head.writeUInt16BE(0x0001, 0);
  head.writeUInt16BE(0x000b, 2);
  head.writeUInt32BE(attributes, 4);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0x0010, 10);
  head.writeUInt16BE(0x0010, 12);
  head.writeUInt16BE(modulus.length * 8, 14);
  head.writeUInt32BE(exponent, 16);
  head.writeUInt16BE(modulus.length, 20);
  const digest = createHash('sha256').update(head).update(modulus).digest();
  return Buffer.concat([Buffer.from([0x00, 0x0b]), digest]);
}
