import { open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ExecutionContext } from 'ava';

import { parse, type KeyEntry } from '@nodecore/config';
import { create, luksKeyslots, synchronise, unlock, type KeyContext, type SyncReport } from '@nodecore/keys';
import { createRing, KeyRing, startKeyServer, type KeyServer } from '@nodecore/key-server';
import * as luks from '@nodecore/luks';
import { program, softwareTpm, temporaryDirectory, testWith } from '@nodecore/testkit';
import * as tpm from '@nodecore/tpm';

/*
 * "When something is lost" of docs/encryption.md on a header in a file: keys as documents have them, a TPM in software,
 * a key server, the library. Starts of whole machines are tried in virtual ones.
 */
const test = testWith(program('swtpm'));

const pbkdf = { type: 'pbkdf2', iterations: 1000 } as const;
const machineUuid = '6c1f0c2e-4f1d-4d0e-9a53-7b1e2d9c8f05';

/** `keys` of a document. The passphrases live as long as the test. */
function keysOf(t: ExecutionContext, keys: string): readonly KeyEntry[] {
  const configuration = parse(`apiVersion: v1alpha1
kind: UserVolumeConfig
name: data
provisioning: {diskSelector: {match: 'disk.size > 0'}, minSize: 1GiB}
encryption: {provider: luks2, keys: [${keys}]}
`);
  t.teardown(() => configuration[Symbol.dispose]());
  return configuration.get('UserVolumeConfig')?.encryption?.keys ?? [];
}

/** A volume with a key of the document in slot 0 and a recovery key in slot 1. */
class Volume {
  readonly file: string;
  readonly t: ExecutionContext;
  /** `{slot: 1, static: …}` with the recovery key, as the guide writes it. */
  readonly recovery: string;
  context: KeyContext;

  private constructor(t: ExecutionContext, file: string, recovery: string, context: KeyContext) {
    this.t = t;
    this.file = file;
    this.recovery = recovery;
    this.context = context;
  }

  static async make(t: ExecutionContext, keys: string, context: Partial<KeyContext> = {}): Promise<Volume> {
    const file = join(await temporaryDirectory(t), 'disk');
    await writeFile(file, '');
    await truncate(file, 32 * 2 ** 20);
    const whole = { machineUuid, volumeId: 'u-data', ...context };
    const [spec] = keysOf(t, keys);
    if (spec === undefined) throw new TypeError('a volume needs a key');
    using key = await create(spec, whole);
    await luks.format(file, { key: key.key, slot: spec.slot, label: 'u-data', pbkdf });
    const store = luksKeyslots(file, { pbkdf });
    if (key.token !== undefined) {
      await store.setToken({ token: { ...key.token, keyslots: [`${spec.slot}`] } });
    }
    using made = luks.recoveryKey.generate();
    await store.add({ slot: 1, key: made.key, existing: key.key });
    await store.setToken({ token: { type: 'systemd-recovery', keyslots: ['1'] } });
    return new Volume(t, file, `{slot: 1, static: {passphrase: ${made.key.bytes.toString()}}}`, whole);
  }

  /** Opens it as a start does, and makes the keyslots like the document. */
  async start(keys: string): Promise<{ slot: number; failures: readonly string[]; report: SyncReport }> {
    const store = luksKeyslots(this.file, { pbkdf });
    const specs = keysOf(this.t, keys);
    using opener = await unlock(store, specs, this.context);
    const report = await synchronise(store, specs, this.context, opener);
    return { slot: opener.slot, failures: opener.failures.map(({ code }) => code), report };
  }

  async slots(): Promise<number[]> {
    return (await luks.keyslots.list(this.file)).map(({ slot }) => slot);
  }

  /** Slot 0 opens by itself again, and taking the recovery key out of the document leaves it on the disk. */
  async isRecovered(keys: string): Promise<void> {
    const { slot, failures, report } = await this.start(keys);
    this.t.is(slot, 0);
    this.t.deepEqual([failures, report.failed, report.removed], [[], [], []]);
    this.t.deepEqual(await this.slots(), [0, 1]);
    const again = await this.start(`{slot: 0, static: {passphrase: wrong}}, ${this.recovery}`);
    this.t.is(again.slot, 1);
  }
}

/** A TPM whose PCR 7 somebody has measured into, and a way to start the machine in another way. */
async function machineTpm(t: ExecutionContext) {
  const software = await softwareTpm(t);
  const connect = (): Promise<tpm.Tpm> => tpm.open({ tcti: software.tcti });
  const measure = async (what: number): Promise<void> => {
    await using connection = await connect();
    await connection.extendPcr(7, new Uint8Array(32).fill(what));
  };
  await measure(1);
  return { connect, measure };
}

async function newRing(path: string): Promise<void> {
  using ring = KeyRing.create(Date.now());
  await createRing(path, ring);
}

/** A key server on loopback, and the `kms` key of a document that names it. */
async function keyServer(ring: string): Promise<{ server: KeyServer; key: string }> {
  const listen = { host: '127.0.0.1', port: 0 };
  const server = await startKeyServer({ listen, ring, tls: 'plaintext', audit: `${ring}.audit` });
  return { server, key: `{kms: {endpoint: "grpc://127.0.0.1:${server.address.port}"}}` };
}

test('a PCR changed: the recovery key opens the volume, the TPM key is sealed anew, the recovery key stays', async (t) => {
  const machine = await machineTpm(t);
  const volume = await Volume.make(t, '{tpm: {}}', { tpm: machine.connect });
  await machine.measure(2);
  const refused = await t.throwsAsync(volume.start('{tpm: {}}'), { code: 'ERR_KEYS_NONE' });
  t.regex(refused?.message ?? '', /PCR 7 differs/u);
  const { slot, failures, report } = await volume.start(`{tpm: {}}, ${volume.recovery}`);
  t.is(slot, 1);
  t.deepEqual(failures, ['ERR_TPM_PCR_MISMATCH']);
  t.deepEqual(report.failed, []);
  await volume.isRecovered('{tpm: {}}');
});

test('the TPM is another one: the recovery key opens the volume, and the new TPM seals its key', async (t) => {
  const { connect } = await machineTpm(t);
  const volume = await Volume.make(t, '{tpm: {}}', { tpm: connect });
  volume.context = { ...volume.context, tpm: (await machineTpm(t)).connect };
  const { slot, failures, report } = await volume.start(`{tpm: {}}, ${volume.recovery}`);
  t.is(slot, 1);
  t.deepEqual(failures, ['ERR_TPM_DIFFERENT']);
  t.deepEqual(report.failed, []);
  await volume.isRecovered('{tpm: {}}');
});

test('Secure Boot is off: the key is not sealed anew where the document wants Secure Boot', async (t) => {
  const machine = await machineTpm(t);
  const key = '{tpm: {checkSecurebootStatusOnEnroll: true}}';
  const state = { state: 'enabled', setupMode: false } as const;
  const volume = await Volume.make(t, key, { tpm: machine.connect, secureBoot: async () => state });
  await machine.measure(2);
  volume.context = { ...volume.context, secureBoot: async () => ({ ...state, state: 'disabled' }) };
  const { slot, report } = await volume.start(`${key}, ${volume.recovery}`);
  t.is(slot, 1);
  t.deepEqual(
    report.failed.map(({ slot, code, message }) => [slot, code, message]),
    [[0, 'ERR_KEYS_SECURE_BOOT', 'tpm key of slot 0: enrolment wants Secure Boot, which is disabled']],
  );
});

test('a passphrase is lost: the recovery key opens the volume, and slot 0 gets the new passphrase', async (t) => {
  const volume = await Volume.make(t, '{static: {passphrase: forgotten}}');
  const changed = '{static: {passphrase: the new one}}';
  await t.throwsAsync(volume.start(changed), { code: 'ERR_KEYS_NONE' });
  const { slot, report } = await volume.start(`${changed}, ${volume.recovery}`);
  t.is(slot, 1);
  t.deepEqual(report.failed, []);
  await volume.isRecovered(changed);
});

test('the key server is gone: with its ring nothing changes, without it another server seals a new key', async (t) => {
  const directory = await temporaryDirectory(t);
  const [old, other] = [join(directory, 'old'), join(directory, 'other')];
  await newRing(old);
  await newRing(other);
  const first = await keyServer(old);
  const volume = await Volume.make(t, first.key);
  await first.server.close();
  const down = await t.throwsAsync(volume.start(first.key), { code: 'ERR_KEYS_NONE' });
  t.like(down, { permanence: 'transient' });
  const restored = await keyServer(old);
  await using _restored = restored.server;
  const again = await volume.start(restored.key);
  t.deepEqual([again.slot, again.failures], [0, []]);
  const second = await keyServer(other);
  await using _second = second.server;
  const { slot, failures, report } = await volume.start(`${second.key}, ${volume.recovery}`);
  t.is(slot, 1);
  t.deepEqual(failures, ['ERR_KMS_REFUSED']);
  t.deepEqual(report.failed, []);
  await volume.isRecovered(second.key);
});

test('the header is damaged: one copy is repaired by opening, both need the backup', async (t) => {
  const volume = await Volume.make(t, '{nodeID: {}}');
  const { bytes, uuid } = await luks.header.backup(volume.file);
  await using disk = await open(volume.file, 'r+');
  await disk.write(Buffer.alloc(4096), 0, 4096, 0);
  t.is((await volume.start('{nodeID: {}}')).slot, 0);
  t.is((await luks.header.check(volume.file)).verdict, 'consistent');
  await disk.write(Buffer.alloc(64 << 10), 0, 64 << 10, 0);
  await t.throwsAsync(volume.start('{nodeID: {}}'), { code: 'ERR_LUKS_NOT_LUKS' });
  await luks.header.restore(volume.file, bytes, { expectUuid: uuid });
  await volume.isRecovered('{nodeID: {}}');
});

test('what left the document is removed once another of its keys is proven, and the recovery key stays', async (t) => {
  const volume = await Volume.make(t, '{nodeID: {}}');
  await volume.start('{nodeID: {}}, {slot: 4, static: {passphrase: second}}');
  t.deepEqual(await volume.slots(), [0, 1, 4]);
  const { report } = await volume.start('{slot: 4, static: {passphrase: second}}');
  t.deepEqual(report.removed, [0]);
  t.deepEqual(await volume.slots(), [1, 4]);
});
