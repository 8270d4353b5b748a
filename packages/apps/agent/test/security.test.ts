import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';

import { controllerItems } from '@nodecore/runtime';
import { fieldsOf, Store } from '@nodecore/state';
import { CodedError } from '@nodecore/sys';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { securityController, type SecurityFacts } from '../src/security/security.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { pcrStatuses, securityStates } from '../src/security/definitions.ts';
import { pcrController } from '../src/security/pcr-controller.ts';
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

test('registers of the TPM are resources, looked at every minute; without a TPM there are none', async (t) => {
  const store = new Store();
  const values = new Map([[7, new Uint8Array(32).fill(1)]]);
  values.set(16, new Uint8Array(32)).set(17, new Uint8Array(32).fill(0xff));
  const { clock } = runControllers(t, store, (own) =>
    pcrController({ clock: own, read: async () => values }),
  );
  const found = await until(store, kindOf(pcrStatuses), ({ length }) => length === 3);
  t.deepEqual(
    found.map(({ metadata, spec }) => [metadata.id, spec]),
    [
      ['16', { bank: 'sha256', value: '00'.repeat(32), isUsed: false }],
      ['17', { bank: 'sha256', value: 'ff'.repeat(32), isUsed: false }],
      ['7', { bank: 'sha256', value: '01'.repeat(32), isUsed: true }],
    ],
  );
  values.set(16, new Uint8Array(32).fill(2));
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.advance(60_000);
  await until(store, kindOf(pcrStatuses), ([first]) => fieldsOf(first?.spec ?? null)['isUsed'] === true);
  const odd = new Store();
  runControllers(t, odd, (own) => pcrController({ clock: own, read: failing('ERR_TPM_UNSUPPORTED') }));
  const [waiting] = await until(odd, controllerItems, ({ length }) => length === 1);
  t.like(fieldsOf(waiting?.spec ?? null), { phase: 'waiting', reason: 'the TPM: ERR_TPM_UNSUPPORTED' });
  const other = new Store();
  const { failures } = runControllers(t, other, (own) =>
    pcrController({ clock: own, read: failing('ERR_TPM_NOT_FOUND') }),
  );
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  t.deepEqual([failures, other.list(kindOf(pcrStatuses)).resources], [[], []]);
});
