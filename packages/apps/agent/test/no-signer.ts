import * as pki from '@nodecore/pki';

import type { CertificatesParts } from '../src/certificates/certificates.ts';
import { SigningError } from '../src/signing/errors.ts';

/** Of a node that nobody signs for, and that keeps no certificate. */
export const noSigner: Pick<CertificatesParts, 'file' | 'port' | 'request'> = {
  file: { read: async () => undefined, write: async () => {}, remove: async () => {} },
  port: 1,
  request: async () => {
    throw new SigningError('ERR_SIGNING_ANSWER', 'nobody signs here');
  },
};

/** Of a worker whose certificates this authority signs, without a network. */
export function signedBy(ca: pki.Identity): typeof noSigner {
  return {
    ...noSigner,
    request: async ({ names }) => {
      const key = await pki.generateKey();
      const server = await pki.signServerCSR(ca, await pki.createCSR(key), { names });
      return { server, key, withheld: [] };
    },
  };
}
