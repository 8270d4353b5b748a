import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { controllerItems } from '@nodecore/runtime';
import { Store } from '@nodecore/state';
import { codeOf, Secret } from '@nodecore/sys';
import { program, softwareTpm, temporaryDirectory, testWith } from '@nodecore/testkit';
import { open, policyDigest } from '@nodecore/tpm';
import test from 'ava';
import { pino } from 'pino';

import { closeWindow } from '../src/measured-boot/close-window.ts';
import { windowController } from '../src/measured-boot/window-controller.ts';
import { needsNoMoreKeys, type WindowVolume } from '../src/measured-boot/window.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { volumeManagerStatuses, volumeStatuses } from '../src/volumes/definitions.ts';
import { runControllers, until } from './controllers.ts';

const withTpm = testWith(program('swtpm'));
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();
const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');

withTpm(
  'a key sealed to PCR 7 and the signed PCR 11 opens until the window is closed, once a boot',
  async (t) => {
    const { tcti } = await softwareTpm(t);
    const mark = join(await temporaryDirectory(t), 'run', 'start-the-world');
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
    await using tpm = await open({ tcti });
    await tpm.extendPcr(7, digest('secure boot'));
    await tpm.extendPcr(11, digest('the image'));
    for (const phase of ['enter-initrd', 'leave-initrd', 'enter-machined'])
      await tpm.extendPcr(11, digest(phase));
    // As the factory signs it: the state after the third phase, and no other.
    const registers = await tpm.readPcrs([11]);
    const policy = policyDigest({ pcrs: [11] }, registers);
    const der = createPublicKey(pem).export({ type: 'pkcs1', format: 'der' });
    const signature = {
      bank: 'sha256' as const,
      pcrs: [11],
      fingerprint: createHash('sha256').update(der).digest('hex'),
      policy,
      signature: sign('sha256', policy, privateKey),
    };
    using secret = Secret.random(32);
    const sealed = await tpm.seal(secret, { pcrs: [7], publicKey: pem }, { signatures: [signature] });
    using back = await tpm.unseal(sealed, { signatures: [signature] });
    t.true(back.equals(secret));

    t.is(await closeWindow({ mark, open: () => open({ tcti }) }), 'closed');
    const expected = createHash('sha256')
      .update(registers.get(11) ?? '')
      .update(digest('start-the-world'))
      .digest('hex');
    t.is(hex((await tpm.readPcrs([11])).get(11)), expected);
    await t.throwsAsync(tpm.unseal(sealed, { signatures: [signature] }), {
      code: 'ERR_TPM_SIGNATURE_MISSING',
    });

    t.is(
      await closeWindow({ mark, open: () => open({ tcti }) }),
      'was closed',
      'the agent has started again',
    );
    t.is(hex((await tpm.readPcrs([11])).get(11)), expected);
  },
);

withTpm(
  'a key of STATE comes out between enter-machined and start-the-world, and in no phase else',
  async (t) => {
    const { tcti } = await softwareTpm(t);
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
    const extended = (register: Uint8Array, text: string): Uint8Array =>
      createHash('sha256').update(register).update(digest(text)).digest();
    const phases = ['enter-initrd', 'leave-initrd', 'enter-machined'];
    const predicted = ['the image', ...phases].reduce(extended, new Uint8Array(32));
    const policy = policyDigest({ pcrs: [11] }, new Map([[11, predicted]]));
    const der = createPublicKey(pem).export({ type: 'pkcs1', format: 'der' });
    const signature = {
      bank: 'sha256' as const,
      pcrs: [11],
      fingerprint: createHash('sha256').update(der).digest('hex'),
      policy,
      signature: sign('sha256', policy, privateKey),
    };
    await using tpm = await open({ tcti });
    await tpm.extendPcr(7, digest('secure boot'));
    await tpm.extendPcr(11, digest('the image'));
    using secret = Secret.random(32);
    const sealed = await tpm.seal(secret, { pcrs: [7], publicKey: pem });
    const opens = async (): Promise<boolean> => {
      try {
        using back = await tpm.unseal(sealed, { signatures: [signature] });
        return back.equals(secret);
      } catch (error) {
        t.is(codeOf(error), 'ERR_TPM_SIGNATURE_MISSING');
        return false;
      }
    };
    const found: string[] = [];
    for (const phase of [...phases, 'start-the-world']) {
      if (phase !== 'start-the-world') await tpm.extendPcr(11, digest(phase));
      else await closeWindow({ mark: join(await temporaryDirectory(t), 'mark'), open: () => open({ tcti }) });
      found.push(`${phase} ${await opens()}`);
    }
    t.deepEqual(found, [
      'enter-initrd false',
      'leave-initrd false',
      'enter-machined true',
      'start-the-world false',
    ]);
  },
);

withTpm('an agent that is killed between mark and measurement measures with its next start', async (t) => {
  const { tcti } = await softwareTpm(t);
  const mark = join(await temporaryDirectory(t), 'start-the-world');
  const killed = async () => {
    const connection = await open({ tcti });
    t.teardown(() => connection.close());
    connection.extendPcr = () => Promise.reject(new Error('killed'));
    return connection;
  };
  await t.throwsAsync(closeWindow({ mark, open: killed }), { message: 'killed' });
  t.is((await readFile(mark, 'utf8')).trim(), '00'.repeat(32));
  t.is(await closeWindow({ mark, open: () => open({ tcti }) }), 'closed');
});

test('a machine without a TPM has no window', async (t) => {
  const tcti = 'device:/nonexistent/tpm';
  t.is(await closeWindow({ mark: '/nonexistent/mark', open: () => open({ tcti }) }), 'no TPM');
});

const ready: readonly WindowVolume[] = [
  { id: 'STATE', type: 'partition', phase: 'ready' },
  { id: 'EPHEMERAL', type: 'partition', phase: 'ready' },
  { id: 'u-gone', type: 'disk', phase: 'missing' },
  { id: 'u-directory', type: 'directory', phase: 'failed' },
];

test('the window stays open while a volume that can be encrypted is on its way', (t) => {
  t.true(needsNoMoreKeys(ready));
  t.false(needsNoMoreKeys([]));
  for (const id of ['STATE', 'EPHEMERAL']) t.false(needsNoMoreKeys(ready.filter((each) => each.id !== id)));
  for (const phase of ['waiting', 'located', 'provisioned', 'prepared', 'failed'] as const)
    t.false(needsNoMoreKeys([...ready, { id: 'u-data', type: 'partition', phase }]), phase);
});

test('it closes once, when keys have had their time; a TPM that fails is asked again', async (t) => {
  const state = { closed: 0, fails: true };
  const store = new Store();
  const show = (volumes: readonly WindowVolume[], keysInSync: boolean): void => {
    const specs = volumes.map(({ id, type, phase }) => [id, { type, phase }] as const);
    store.replace(kindOf(volumeStatuses), new Map(specs), 'volumes');
    const whole = { configured: true, keysInSync };
    store.replace(kindOf(volumeManagerStatuses), new Map([['volumes', whole]]), 'volumes');
  };
  const close = async (): Promise<'closed'> => {
    state.closed += 1;
    if (!state.fails) return 'closed';
    state.fails = false;
    throw new Error('busy');
  };
  const log = pino({ level: 'silent' });
  const { clock, failures } = runControllers(t, store, (ticking) =>
    windowController({ log, clock: ticking, close }),
  );
  const reason = (words: string): Promise<unknown> =>
    until(store, controllerItems, ([one]) => JSON.stringify(one?.spec ?? '').includes(words));
  show([], false);
  await reason('on its way');
  t.is(state.closed, 0);
  show(ready, false);
  await reason('into headers');
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.advance(59_999);
  t.is(state.closed, 0);
  clock.advance(1);
  await reason('busy');
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.skip();
  await until(store, controllerItems, ({ length }) => length === 0);
  t.is(state.closed, 2);
  t.like(failures, [{ name: 'measured-boot', error: { message: 'busy' } }]);
  show(ready, true);
  show(ready, false);
  await new Promise(setImmediate);
  t.is(state.closed, 2);
});

test('it closes at once when the keys are in force, and never for volumes of no configuration', async (t) => {
  const store = new Store();
  const closed = Promise.withResolvers<void>();
  let isConfigured = false;
  const close = async (): Promise<'closed'> => {
    t.true(isConfigured);
    closed.resolve();
    return 'closed';
  };
  const log = pino({ level: 'silent' });
  runControllers(t, store, (clock) => windowController({ log, clock, close }));
  const specs = ready.map(({ id, type, phase }) => [id, { type, phase }] as const);
  store.replace(kindOf(volumeStatuses), new Map(specs), 'volumes');
  const show = (configured: boolean): void =>
    store.replace(
      kindOf(volumeManagerStatuses),
      new Map([['volumes', { configured, keysInSync: true }]]),
      'volumes',
    );
  show(false);
  await until(store, controllerItems, ({ length }) => length === 1);
  isConfigured = true;
  show(true);
  await closed.promise;
});
