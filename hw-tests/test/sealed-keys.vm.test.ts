import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { temporaryDirectory } from '@nodecore/testkit';
import anyTest, { type ExecutionContext, type TestFn } from 'ava';

import { RigMachine, type RigSpec, type RebootOptions } from '../src/index.ts';
import { byTokenAlone, hasOlderSystemd } from './by-token.ts';
import type { Opened, PlainSpec } from './key-specs.ts';
import { newRing } from './key-server.ts';
import { VolumeKeys } from './volume-keys.ts';

const mib = 1024 ** 2;

const spec: RigSpec = {
  name: 'sealed-keys',
  uuid: '51c1d2e3-8f4a-4b5c-9d6e-7f8091a2b3c4',
  firmware: 'uefi-secure-boot',
  tpm: 'crb',
  memoryMib: 1024,
  cpus: 1,
  disks: [
    { driver: 'virtio', sizeBytes: 20 * mib, serial: 'OURS' },
    { driver: 'virtio', sizeBytes: 20 * mib, serial: 'UNCHECKED' },
    { driver: 'virtio', sizeBytes: 20 * mib, serial: 'THEIRS' },
    { driver: 'virtio', sizeBytes: 20 * mib, serial: 'SERVED' },
  ],
  forwards: [],
  modules: ['dm-crypt'],
};

const passphrase = 'the other key of the volume';
const other: PlainSpec = { slot: 1, kind: 'static', passphrase };
const sealed = { slot: 0, kind: 'tpm', pcrs: [7], checkSecurebootStatusOnEnroll: true } as const;
/** Where Secure Boot must be on to enrol, and where it need not. */
const checked: readonly PlainSpec[] = [sealed, other];
const unchecked: readonly PlainSpec[] = [{ ...sealed, checkSecurebootStatusOnEnroll: false }, other];

/** `keys` is another process after each boot; tests see copies of the context, so it stands in an object in it. */
type Shared = { readonly machine: RigMachine; readonly inside: { keys: VolumeKeys } };

const test = anyTest as TestFn<Shared>;

test.before(async (t) => {
  const machine = await RigMachine.boot(spec);
  Object.assign(t.context, { machine, inside: { keys: VolumeKeys.start(machine) } });
});

test.after.always(async (t) => {
  await t.context.machine?.close();
});

type Context = ExecutionContext<Shared>;

async function reboot({ context }: Context, options: RebootOptions = {}): Promise<void> {
  const { machine, inside } = context;
  await machine.powerOff();
  await machine.boot(options);
  inside.keys = VolumeKeys.start(machine);
}

/** See {@link VolumeKeys.ask}. */
const ask = ({ context }: Context): VolumeKeys['ask'] => context.inside.keys.ask.bind(context.inside.keys);

function device({ context }: Context, serial: string): string {
  return context.machine.devices.get(serial) ?? '';
}

/** Runs a program that must succeed. */
async function run(t: Context, argv: readonly [string, ...string[]], env = {}): Promise<string> {
  const { code, stdout, stderr } = await t.context.machine.run(argv, { env });
  t.is(code, 0, `${argv.join(' ')}: ${stderr.toString()}`);
  return stdout.toString();
}

const byTpm = { slot: 0, kind: 'tpm' } as const;
const byOther = { slot: 1, kind: 'static' } as const;

/** The TPM's key failed in this way, and the other one opened the volume. */
function openedByOther(t: Context, opened: Opened, code: string): string {
  t.deepEqual(opened.opener, byOther);
  t.deepEqual(
    opened.failures.map((failure) => [failure.slot, failure.code]),
    [[0, code]],
  );
  return opened.failures[0]?.message ?? '';
}

test.serial('the firmware measures itself, and Secure Boot is on when the machine says so', async (t) => {
  const variable = '/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c';
  t.is(await run(t, ['tail', '-c', '1', variable]), '\u0001');
  t.regex(await run(t, ['cat', '/sys/class/tpm/tpm0/pcr-sha256/7']), /^(?!0{64})[0-9A-F]{64}$/m);
});

test.serial('a key is sealed to PCR 7 while Secure Boot is on', async (t) => {
  const format = { do: 'format', passphrase, slot: 1 } as const;
  const [, , , ...opened] = await ask(t)(
    { ...format, device: device(t, 'OURS') },
    { ...format, device: device(t, 'UNCHECKED') },
    { ...format, device: device(t, 'THEIRS') },
    { do: 'open', device: device(t, 'OURS'), specs: checked, synchronise: true },
    { do: 'open', device: device(t, 'UNCHECKED'), specs: unchecked, synchronise: true },
    { do: 'open', device: device(t, 'OURS'), specs: checked },
  );
  for (const { report } of opened.slice(0, 2)) {
    t.deepEqual(report?.failed, []);
    t.deepEqual(
      report?.synced.map(({ slot, change }) => [slot, change]),
      [
        [0, 'added'],
        [1, 'none'],
      ],
    );
  }
  t.deepEqual(opened[2].opener, byTpm);
});

test.serial("cryptsetup opens what we sealed, by systemd's plugin alone", async (t) => {
  await run(t, byTokenAlone(device(t, 'OURS'), 'ours'));
  await run(t, ['cryptsetup', 'close', 'ours']);
});

test.serial('we open what systemd-cryptenroll sealed', async (t) => {
  const theirs = device(t, 'THEIRS');
  const enroll = ['systemd-cryptenroll', '--tpm2-device=auto', '--tpm2-pcrs=7', theirs] as const;
  await run(t, enroll, { PASSWORD: passphrase });
  const [opened] = await ask(t)({ do: 'open', device: theirs, specs: checked });
  t.deepEqual(opened.opener, byTpm);
});

test.serial(
  'a key server in a process of its own opens a volume, and without it the other key does',
  async (t) => {
    const { machine } = t.context;
    const ring = join(await temporaryDirectory(t), 'ring');
    await newRing(ring);
    const store = 'umask 077; cat > /run/ring';
    t.is((await machine.run(['sh', '-c', store], { input: await readFile(ring) })).code, 0);
    const serve =
      '--ring /run/ring --audit /run/audit --listen 127.0.0.1:4050 --plaintext --no-metrics'.split(' ');
    const server = machine.start(['packages/apps/key-server/bin/nodecore-kms.js', 'serve', ...serve]);
    for await (const line of createInterface({ input: server.stdout })) if (line.includes('listening')) break;
    const volume = device(t, 'SERVED');
    const specs: readonly PlainSpec[] = [{ slot: 0, kind: 'kms', endpoint: 'grpc://127.0.0.1:4050' }, other];
    const [, made, opened] = await ask(t)(
      { do: 'format', device: volume, passphrase, slot: 1 },
      { do: 'open', device: volume, specs, synchronise: true },
      { do: 'open', device: volume, specs },
    );
    t.deepEqual(made.report?.failed, []);
    t.deepEqual(opened.opener, { slot: 0, kind: 'kms' });
    server.kill('SIGTERM');
    await server.exited;
    const [without] = await ask(t)({ do: 'open', device: volume, specs });
    openedByOther(t, without, 'ERR_KMS_UNREACHABLE');
  },
);

test.serial('after a reboot with the same firmware settings the TPM opens all of them', async (t) => {
  await reboot(t);
  const opened = await ask(t)(
    { do: 'open', device: device(t, 'OURS'), specs: checked },
    { do: 'open', device: device(t, 'UNCHECKED'), specs: unchecked },
    { do: 'open', device: device(t, 'THEIRS'), specs: checked },
  );
  for (const { opener } of opened) t.deepEqual(opener, byTpm);
});

test.serial(
  'in a lockout after wrong PINs what we sealed opens; for what an older systemd sealed the other key does',
  async (t) => {
    const limits = ['--max-tries=2', '--recovery-time=1000', '--lockout-recovery-time=1000'];
    await run(t, ['tpm2_dictionarylockout', '--setup-parameters', ...limits]);
    const request = { do: 'open', device: device(t, 'OURS'), specs: checked } as const;
    const guess = { do: 'guess-pins', tries: 3 } as const;
    const [guesses, ours, theirs] = await ask(t)(
      guess,
      { ...request, synchronise: true },
      { ...request, device: device(t, 'THEIRS'), synchronise: true },
    );
    t.deepEqual(guesses.codes, ['ERR_TPM_PIN_REJECTED', 'ERR_TPM_PIN_REJECTED', 'ERR_TPM_LOCKOUT']);
    t.regex(guesses.last, /2 of 2 tries are used/);
    t.deepEqual(ours.opener, byTpm);
    t.deepEqual(ours.report?.failed, []);
    if (hasOlderSystemd) {
      openedByOther(t, theirs, 'ERR_TPM_LOCKOUT');
      t.deepEqual(
        theirs.report?.failed.map(({ slot, code, permanence }) => [slot, code, permanence]),
        [[0, 'ERR_TPM_LOCKOUT', 'transient']],
      );
    } else {
      t.deepEqual(theirs.opener, byTpm);
    }
    await run(t, ['tpm2_dictionarylockout', '--clear-lockout']);
    const [afterwards] = await ask(t)(request);
    t.deepEqual(afterwards.opener, byTpm);
  },
);

test.serial('a TPM that was cleared is named, and its key is sealed anew', async (t) => {
  await run(t, ['tpm2_clear', '--auth-hierarchy=l']);
  const request = { do: 'open', device: device(t, 'OURS'), specs: checked } as const;
  const [first, second] = await ask(t)({ ...request, synchronise: true }, request);
  openedByOther(t, first, 'ERR_TPM_DIFFERENT');
  t.deepEqual(first.report?.failed, []);
  t.is(first.report?.synced[0]?.change, 'replaced');
  t.deepEqual(second.opener, byTpm);
});

test.serial('with Secure Boot off the key is refused, and the reason stands in the event log', async (t) => {
  // The key of this one was sealed before the TPM was cleared.
  const request = { do: 'open', device: device(t, 'UNCHECKED'), specs: unchecked } as const;
  await ask(t)({ ...request, synchronise: true });
  await reboot(t, { firmware: 'uefi-secure-boot-off' });
  const ours = { do: 'open', device: device(t, 'OURS'), specs: checked } as const;
  const [opened, again, first, second] = await ask(t)(
    { ...ours, synchronise: true },
    ours,
    { ...request, device: device(t, 'UNCHECKED'), synchronise: true },
    { ...request, device: device(t, 'UNCHECKED') },
  );
  const message = openedByOther(t, opened, 'ERR_TPM_PCR_MISMATCH');
  t.regex(message, /PCR 7 differs/);
  t.regex(message, /SecureBoot/);
  t.log(message);

  // Enrolment wants Secure Boot, so the stale keyslot stays as it is.
  t.deepEqual(
    opened.report?.failed.map(({ slot, code }) => [slot, code]),
    [[0, 'ERR_KEYS_SECURE_BOOT']],
  );
  t.regex(opened.report?.failed[0]?.message ?? '', /enrolment wants Secure Boot, which is disabled/);
  openedByOther(t, again, 'ERR_TPM_PCR_MISMATCH');

  // Where nobody asked for that, the key is sealed to the state of the machine as it is now.
  openedByOther(t, first, 'ERR_TPM_PCR_MISMATCH');
  t.is(first.report?.synced[0]?.change, 'replaced');
  t.deepEqual(second.opener, byTpm);
});
