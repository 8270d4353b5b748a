import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { command } from '@nodecore/testkit';
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { parse } from 'yaml';

import { NodeAgent, volumesAre, volumesReady } from './agent-node.ts';
import { byTokenAlone } from './by-token.ts';
import type { Finding, Search } from './inside/find-secrets.ts';
import {
  admin,
  cryptsetupOpens,
  device,
  documents,
  heaps,
  nodeKeys,
  ok,
  recoveryOf,
  run,
  type Shared,
  startKeysNode,
  tokenOf,
  uuid,
} from './keys-node.ts';
import type { OsctlResult } from './osctl.ts';
import { findSecrets } from './secret-forms.ts';

const volumes = ['STATE', 'EPHEMERAL', 'u-data', 'u-safe'];

const test = anyTest as TestFn<Shared>;
type Context = ExecutionContext<Shared>;

test.before(async (t) => {
  Object.assign(t.context, { node: await startKeysNode() });
});

// Each goes on where the one before ended.
test.beforeEach((t) => {
  if (t.context.node.hasFailed) throw new Error('a test before has failed');
});

test.afterEach.always((t) => {
  const { node } = t.context;
  if (t.passed) return;
  if (!node.hasFailed) t.log(node.agent.lines.slice(-40).join('\n'));
  node.hasFailed = true;
});

test.after.always(async (t) => {
  await t.context.node?.machine.close();
});

test.serial('osctl brings the configuration, and shows which key is in use and which is not', async (t) => {
  const { agent, port } = t.context.node;
  const insecure = ['-i', '--cert-fingerprint', agent.fingerprint ?? '', '-n', `127.0.0.1:${port}`];
  await ok(t, 'apply-config', ...insecure, '-f', await documents(t));
  using client = await admin(t);
  await volumesReady(client, volumes);
  await volumesAre(client, (states) => (states.get('u-data')?.encryptionFailedSyncs?.length ?? 0) > 0);
  const { stdout } = await ok(t, 'get', 'volumestatus', 'u-data', '-o', 'yaml');
  const { spec } = parse(stdout) as { spec: Record<string, unknown> };
  t.like(spec, { phase: 'ready', encryptionSlot: 0, configuredEncryptionKeys: ['kms', 'static', 'tpm'] });
  t.like((spec['encryptionFailedSyncs'] as object[])[0], {
    slot: 2,
    kind: 'kms',
    code: 'ERR_KMS_UNREACHABLE',
  });
});

test.serial('rotate-keys says what it would do, does it, and says what it can not do', async (t) => {
  const rotate = ['volume', 'rotate-keys', 'u-data', '-o', 'json'] as const;
  const planned = await ok(t, ...rotate, '--slot', '0,1', '--dry-run');
  type Row = { slot: number; kind: string; state: string };
  const rows = ({ stdout }: OsctlResult): unknown[] =>
    (JSON.parse(stdout) as Row[]).map(({ slot, kind, state }) => [slot, kind, state]);
  t.deepEqual(rows(planned)[0], [0, 'tpm', 'planned']);
  const token = (): Promise<string> => tokenOf(t, 'u-data', 0);
  const before = await token();
  const done = await t.context.node.osctl(...rotate);
  t.not(done.code, 0, 'the key server is not there');
  t.deepEqual(rows(done)[0], [0, 'tpm', 'done']);
  t.deepEqual(rows(done).at(-1), [2, 'kms', 'failed']);
  t.not(await token(), before);
});

test.serial('a recovery key is printed once, and cryptsetup opens the volume with it', async (t) => {
  for (const volume of ['STATE', 'u-safe'] as const) {
    const { stdout, stderr } = await ok(t, 'volume', 'recovery-key', volume, '--yes');
    t.regex(stdout, /^([cbdefghijklnrtuv]{8}-){7}[cbdefghijklnrtuv]{8}\n$/);
    const made = {
      key: stdout.trim(),
      slot: Number(/ in slot (\d+); it is not shown again$/m.exec(stderr)?.[1]),
    };
    await cryptsetupOpens(t, await device(t, volume), made);
    t.context.node.recovery.set(volume, made);
  }
});

test.serial('a TPM key and a nodeID key are opened by hand, as the guide says', async (t) => {
  const { machine } = t.context.node;
  const [safe, state] = [await device(t, 'u-safe'), await device(t, 'STATE')];
  await t.notThrowsAsync(run(machine, byTokenAlone('--test-passphrase', safe)));
  await t.notThrowsAsync(cryptsetupOpens(t, state, { slot: 1, key: `${uuid}STATE` }));
});

test.serial('a header is saved for its owner only, and put back where both copies are gone', async (t) => {
  const { machine, directory } = t.context.node;
  const backup = join(directory, 'u-safe.header');
  await ok(t, 'volume', 'header-backup', 'u-safe', '-o', backup);
  t.is((await stat(backup)).mode & 0o777, 0o600);
  t.regex((await command(['cryptsetup', 'luksDump', backup])).stdout, /systemd-recovery/);

  const damaged = await device(t, 'u-safe');
  await run(machine, ['dd', 'if=/dev/zero', `of=${damaged}`, 'bs=64K', 'count=1', 'conv=fsync']);
  t.not((await machine.run(['cryptsetup', 'isLuks', damaged])).code, 0);
  await ok(t, 'volume', 'header-restore', 'u-safe', backup, '--yes');
  await cryptsetupOpens(t, damaged, recoveryOf(t, 'u-safe'));
});

test.serial(
  'no key is in the heap after unlock, in a log, or in what any process was started with',
  async (t) => {
    const { machine, agent } = t.context.node;
    const planted = await nodeKeys(t);
    await run(machine, ['sh', '-c', 'kill -USR2 "$(cat /run/agent.pid)"']);
    using client = await admin(t);
    await client.version({ timeoutMs: 120_000 }); // nobody answers while the heap is written
    const search: Search = { planted, files: [`${heaps}/*`, '/tmp/started'] };
    const argv = ['node', '--conditions=source', 'hw-tests/test/inside/find-secrets.ts'] as const;
    const findings = JSON.parse((await run(machine, argv, JSON.stringify(search))).toString()) as Finding[];
    const heap = findings.filter(({ path }) => path.startsWith(heaps));
    t.is(heap.length, 1);
    // What was kept on purpose is found, in the heap and there alone.
    t.deepEqual(heap[0]?.found, ['control as raw', 'control as utf8 of latin1', 'control as JSON string']);
    t.deepEqual(
      findings.filter(({ path, found }) => !path.startsWith(heaps) && found.length > 0),
      [],
    );
    t.true(findings.length > 20, 'every process was looked at');
    const log = agent.lines.join('\n');
    const secrets = planted.map(({ name: of, base64 }) => ({
      name: of,
      bytes: Buffer.from(base64, 'base64'),
    }));
    t.deepEqual(findSecrets(Buffer.from(log), secrets), []);
    t.regex(log, /keys synchronised/);
  },
);

/** STATE by its recovery key on a machine without an agent. */
async function checkRescue(t: Context, state: string): Promise<void> {
  const { key, slot } = recoveryOf(t, 'STATE');
  const rescue = `cryptsetup open --key-file - --key-slot ${slot} ${state} state
    mount -o ro /dev/mapper/state /mnt && ls /mnt; umount /mnt && cryptsetup close state`;
  const listing = (await run(t.context.node.machine, ['sh', '-ec', rescue], key)).toString().split('\n');
  for (const file of ['config.yaml', 'encryption-salt.yaml']) t.true(listing.includes(file), listing.join());
}

test.serial('another TPM: the volume with a second key opens, and its key is sealed anew', async (t) => {
  const { machine, port } = t.context.node;
  const state = await device(t, 'STATE');
  t.is(await t.context.node.agent.stop(), 0);
  await checkRescue(t, state);
  await machine.powerOff();
  await machine.boot({ newTpm: true });
  t.context.node.agent = await NodeAgent.start(machine, port);
  using client = await admin(t);
  const states = await volumesAre(
    client,
    (now) =>
      now.get('u-safe')?.errorCode === 'ERR_VOLUME_KEYS' &&
      now.get('u-data')?.phase === 'ready' &&
      // One look has been taken, and only the key server is missing.
      now
        .get('u-data')
        ?.encryptionFailedSyncs?.map(({ slot }) => slot)
        .join() === '2',
  );
  t.is(states.get('u-data')?.encryptionSlot, 1);
  t.deepEqual(
    states.get('u-safe')?.encryptionFailedKeys?.map(({ slot, code }) => [slot, code]),
    [[0, 'ERR_TPM_DIFFERENT']],
  );
  const wrong = [
    'get',
    'volumestatus',
    'u-safe',
    '-o',
    'jsonpath={.spec["errorCode","errorMessage"]}',
  ] as const;
  t.regex((await ok(t, ...wrong)).stdout, /^ERR_VOLUME_KEYS\n.*tpm key of slot 0: /);
});

test.serial('the recovery key in the document opens the other one, as the guide says', async (t) => {
  const { key, slot } = recoveryOf(t, 'u-safe');
  const file = await documents(t, `    - {slot: ${slot}, static: {passphrase: ${key}}}\n`);
  await ok(t, 'apply-config', '-f', file);
  using client = await admin(t);
  const synced = await volumesAre(
    client,
    (now) => now.get('u-safe')?.phase === 'ready' && now.get('u-safe')?.encryptionFailedSyncs?.length === 0,
  );
  t.is(synced.get('u-safe')?.encryptionSlot, slot);
  const fields = 'jsonpath={.spec["phase","encryptionSlot","encryptionFailedSyncs"]}';
  t.is((await ok(t, 'get', 'volumestatus', 'u-safe', '-o', fields)).stdout.trim(), `ready\n${slot}\n[]`);

  // The passphrase goes out of the document again, and its keyslot stays.
  await ok(t, 'apply-config', '-f', await documents(t));
  await volumesReady(client, ['u-safe']);
  const { stdout } = await ok(t, 'volume', 'rotate-keys', 'u-safe');
  t.regex(stdout, /u-safe +0 +tpm +done/);
  const volume = await device(t, 'u-safe');
  await run(t.context.node.machine, byTokenAlone('--test-passphrase', volume));
  await cryptsetupOpens(t, volume, { key, slot });
});

test.serial(
  'STATE is given up as the guide says, and what was locked to it opens by its other keys',
  async (t) => {
    const { machine, port } = t.context.node;
    t.is(await t.context.node.agent.stop(), 0);
    const listed = (await run(machine, ['sfdisk', '--list', '--output', 'Device,Name'])).toString();
    const [, path, disk, partition] = /^((\/dev\/[a-z]+)(\d+)) +STATE$/m.exec(listed) ?? [];
    if (path === undefined || disk === undefined || partition === undefined) throw new Error(listed);
    await run(machine, ['cryptsetup', 'erase', '--batch-mode', path]);
    await run(machine, ['sfdisk', '--delete', disk, partition]);

    const agent = await NodeAgent.start(machine, port);
    t.context.node.agent = agent;
    const insecure = ['-i', '--cert-fingerprint', agent.fingerprint ?? '', '-n', `127.0.0.1:${port}`];
    await ok(t, 'apply-config', ...insecure, '-f', await documents(t));
    using client = await admin(t);
    const states = await volumesReady(client, volumes);
    t.deepEqual(
      volumes.map((volume) => states.get(volume)?.encryptionSlot),
      [0, undefined, 1, 0],
    );
    const sealedAnew = await volumesAre(client, (now) => {
      const failed = now.get('u-data')?.encryptionFailedSyncs ?? [];
      return failed.map(({ slot }) => slot).join() === '2'; // the key server alone is missing
    });
    t.is(sealedAnew.get('u-data')?.phase, 'ready');
  },
);
