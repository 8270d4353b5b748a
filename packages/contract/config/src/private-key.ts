import { builtin } from '@nodecore/sys/pure';

const crypto = builtin('node:crypto');

/** Whether a PEM key is the one of a PEM certificate. The library's error is dropped: it could describe the key. */
export function privateKeyFits(key: Buffer, crt: string): 'fits' | 'other' | 'invalid' {
  try {
    return new (crypto().X509Certificate)(crt).checkPrivateKey(crypto().createPrivateKey(key))
      ? 'fits'
      : 'other';
  } catch {
    return 'invalid';
  }
}
