import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';

import { Store } from '@nodecore/state';
import { CodedError } from '@nodecore/sys';
import test from 'ava';
import { pino } from 'pino';

import { publishSecurity, type SecurityFacts } from '../src/security/security.ts';
import { Catalog } from '../src/resources/catalog.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { securityStates } from '../src/security/definitions.ts';

class Failure extends CodedError<string> {
  readonly kind = 'internal';
}

const failing = (code: string) => async (): Promise<never> => {
  throw new Failure(code, code);
};

const machine: SecurityFacts = {
  secureBoot: async () => ({ state: 'enabled', setupMode: false }),
  bootedWithUki: async () => true,
  pcrSignatures: async () => ({}),
  capabilities: async () => ({
    manufacturer: 'IBM',
    vendor: 'SW TPM',
    firmwareVersion: '8217.4131.18.13878',
    specRevision: '1.59',
    algorithms: ['rsa'],
    pcrBanks: [{ bank: 'sha256', pcrs: [0, 7] }],
  }),
};

async function published(facts: Partial<SecurityFacts>): Promise<unknown> {
  const store = new Store();
  new Catalog([securityStates]).publish(store);
  await publishSecurity({ store, log: pino({ level: 'silent' }), machine: { ...machine, ...facts } });
  return store.list(kindOf(securityStates)).resources[0]?.spec;
}

test('Secure Boot, the TPM and the signing key of measurements are published', async (t) => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
  const der = createPublicKey(pem).export({ type: 'pkcs1', format: 'der' });
  t.deepEqual(await published({ pcrSignatures: async () => ({ publicKey: pem }) }), {
    secureBoot: 'enabled',
    setupMode: false,
    bootedWithUKI: true,
    tpm: {
      present: true,
      manufacturer: 'IBM',
      vendor: 'SW TPM',
      firmwareVersion: '8217.4131.18.13878',
      specRevision: '1.59',
      pcrBanks: ['sha256'],
    },
    pcrSigningKeyFingerprint: createHash('sha256').update(der).digest('hex'),
  });
});

test('no TPM is told apart from one that does not answer, and unknown is not disabled', async (t) => {
  t.like(await published({ capabilities: failing('ERR_TPM_NOT_FOUND') }), { tpm: { present: false } });
  t.like(await published({ capabilities: failing('ERR_TPM_UNREACHABLE') }), {
    tpm: { present: true, error: 'ERR_TPM_UNREACHABLE' },
  });
  t.like(await published({ secureBoot: failing('EACCES') }), {
    secureBoot: 'unknown',
    secureBootError: 'EACCES',
  });
});
