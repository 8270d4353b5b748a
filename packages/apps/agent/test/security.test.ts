import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';

import { Store } from '@nodecore/state';
import { CodedError } from '@nodecore/sys';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { securityController, type SecurityFacts } from '../src/security/security.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { securityStates } from '../src/security/definitions.ts';
import { runControllers, until } from './controllers.ts';

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

async function published(t: ExecutionContext, facts: Partial<SecurityFacts>): Promise<unknown> {
  const store = new Store();
  const log = pino({ level: 'silent' });
  runControllers(t, store, securityController({ log, machine: { ...machine, ...facts } }));
  const [state] = await until(store, kindOf(securityStates), ({ length }) => length === 1);
  return state?.spec;
}

test('Secure Boot, the TPM and the signing key of measurements are published', async (t) => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
  const der = createPublicKey(pem).export({ type: 'pkcs1', format: 'der' });
  t.deepEqual(await published(t, { pcrSignatures: async () => ({ publicKey: pem }) }), {
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
  t.like(await published(t, { capabilities: failing('ERR_TPM_NOT_FOUND') }), { tpm: { present: false } });
  t.like(await published(t, { capabilities: failing('ERR_TPM_UNREACHABLE') }), {
    tpm: { present: true, error: 'ERR_TPM_UNREACHABLE' },
  });
  t.like(await published(t, { secureBoot: failing('EACCES') }), {
    secureBoot: 'unknown',
    secureBootError: 'EACCES',
  });
});
