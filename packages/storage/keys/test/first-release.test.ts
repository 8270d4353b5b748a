import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { TokenJson } from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import { program, softwareTpm, temporaryDirectory, testWith } from '@nodecore/testkit';
import * as tpm from '@nodecore/tpm';
import type { ExecutionContext } from 'ava';

import { type KeyContext, type KeySpec, synchronise, unlock } from '../src/index.ts';
import { FakeHeader } from './fake-header.ts';
import { locked, nodeKey, tpmKey } from './specs.ts';

/** What a release left on a machine: its TPM, the tokens of a header, and the key of each keyslot. Base64 throughout. */
type FirstRelease = {
  readonly machineUuid: string;
  readonly volumeId: string;
  readonly saltOfState: string;
  readonly tpmState: string;
  readonly signingKey: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly tokens: readonly { readonly id: number; readonly json: TokenJson }[];
};

const withTpm = testWith(program('swtpm'));
const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const phases = ['enter-initrd', 'leave-initrd', 'enter-machined'];

/** The machine of then, started from another image, which is signed with the same key. */
async function startedFrom(t: ExecutionContext, image: string): Promise<Machine> {
  const path = new URL('fixtures/first-release.json', import.meta.url);
  const left: FirstRelease = JSON.parse(await readFile(path, 'utf8'));
  const stateDirectory = join(await temporaryDirectory(t), 'tpm');
  await mkdir(stateDirectory);
  await writeFile(join(stateDirectory, 'tpm2-00.permall'), bytes(left.tpmState), { mode: 0o600 });
  const { tcti } = await softwareTpm(t, { stateDirectory });
  await using connection = await tpm.open({ tcti });
  await connection.extendPcr(7, digest('secure boot'));
  for (const what of [image, ...phases]) await connection.extendPcr(11, digest(what));
  const policy = tpm.policyDigest({ pcrs: [11] }, await connection.readPcrs([11]));
  const privateKey = createPrivateKey(left.signingKey);
  const publicKey = createPublicKey(privateKey);
  const fingerprint = createHash('sha256').update(publicKey.export({ type: 'pkcs1', format: 'der' }));
  const signature = {
    bank: 'sha256' as const,
    pcrs: [11],
    fingerprint: fingerprint.digest('hex'),
    policy,
    signature: sign('sha256', policy, privateKey),
  };
  const signing = {
    publicKey: Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })),
    signatures: [signature],
  };
  const header = new FakeHeader(
    new Map(Object.entries(left.keys).map(([slot, key]) => [Number(slot), bytes(key)])),
    new Map(left.tokens.map(({ id, json }) => [id, json])),
  );
  const context: KeyContext = {
    machineUuid: left.machineUuid,
    volumeId: left.volumeId,
    salt: Secret.copy(bytes(left.saltOfState)),
    tpm: () => tpm.open({ tcti }),
    tpmSignatures: () => Promise.resolve(signing),
  };
  return { header, context };
}

type Machine = { readonly header: FakeHeader; readonly context: KeyContext };

withTpm('what the first release sealed opens under an image of today', async (t) => {
  const { header, context } = await startedFrom(t, 'an image of today');
  const specs: readonly KeySpec[] = [tpmKey(1), locked(tpmKey(2)), nodeKey(3)];
  for (const spec of specs) {
    using opened = await unlock(header, [spec], context);
    t.is(opened.slot, spec.slot);
    t.deepEqual(opened.failures, []);
  }
});

withTpm('its keys are taken over as they are: nothing is written', async (t) => {
  const { header, context } = await startedFrom(t, 'an image of today');
  header.keys.set(0, Buffer.from('correct horse'));
  const base: KeySpec = { slot: 0, kind: 'static', passphrase: Secret.copy(Buffer.from('correct horse')) };
  const specs = [base, tpmKey(1), locked(tpmKey(2)), nodeKey(3)];
  using opened = await unlock(header, [tpmKey(1)], context);
  const report = await synchronise(header, specs, context, opened);
  t.deepEqual(report.failed, []);
  t.deepEqual(
    report.synced.map(({ slot, change }) => `${slot} ${change}`),
    ['0 none', '1 none', '2 none', '3 none'],
  );
  t.is(header.writes, 0);
});
