import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { type Client, connect, decodeSpec } from '@nodecore/api';
import { WipeState } from '@nodecore/api/storage';
import * as pki from '@nodecore/pki';
import { emptiness } from '@nodecore/block';
import { command, loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { definitions } from '../src/features.ts';
import { volumeStatuses } from '../src/volumes/definitions.ts';
import { AgentProcess } from './agent-process.ts';
import { authority, rootDocument, volumeDocument } from './documents.ts';

const ca = await authority();
const mebibyte = 1 << 20;
const marker = 'marker-passphrase-b41d';

async function clients(t: ExecutionContext, agent: AgentProcess) {
  const as = async (role: string): Promise<Client> => {
    const { crt, key } = await pki.issueClient(ca, { roles: [role] });
    const client = connect({ endpoint: agent.endpoint, ca: ca.crt, crt, key });
    t.teardown(() => client.close());
    return client;
  };
  return { admin: await as('os:admin'), reader: await as('os:reader') };
}

function anybody(t: ExecutionContext, agent: AgentProcess, fingerprint?: string): Client {
  const fingerprints = fingerprint === undefined ? [] : [fingerprint];
  const client = connect({ endpoint: agent.endpoint, insecure: true, fingerprints });
  t.teardown(() => client.close());
  return client;
}

type Status = { readonly phase: string; readonly location?: string; readonly uuid?: string };

/** Waits until every named volume is ready. */
async function ready(client: Client, ids: readonly string[]): Promise<Map<string, Status>> {
  const statuses = new Map<string, Status>();
  for await (const { events } of client.watch({ type: volumeStatuses.type })) {
    for (const { resource } of events) {
      if (resource?.metadata === undefined) continue;
      statuses.set(resource.metadata.id, decodeSpec(resource.spec) as Status);
    }
    if (ids.every((id) => statuses.get(id)?.phase === 'ready')) return statuses;
  }
  throw new Error('the watch ended');
}

/** How the wipe of a disk ends. */
async function wipe(client: Client, path: string): Promise<WipeState | undefined> {
  let end: WipeState | undefined;
  for await (const { state } of client.wipe({ devices: [basename(path)] })) end = state;
  return end;
}

/** How the wipe of a volume ends. */
async function wipeVolume(client: Client, id: string): Promise<WipeState | undefined> {
  let end: WipeState | undefined;
  for await (const { state } of client.wipeVolumes({ volumes: [id] })) end = state;
  return end;
}

const match = (path: string): string => `disk.dev_path == "${path}"`;

/** Two disks and a configuration that puts one volume on each. The mounts go away with the test. */
async function twoDisks(t: ExecutionContext, directory: string) {
  const one = await loopDevice(t, { sizeBytes: 512 * mebibyte });
  const two = await loopDevice(t, { sizeBytes: 640 * mebibyte });
  t.teardown(async () => {
    for (const name of ['one', 'two']) await command(['umount', join(directory, 'root/var/mnt', name)]);
  });
  const text =
    rootDocument(ca) +
    volumeDocument({ name: 'one', match: match(one.path), filesystem: 'xfs', minSize: '400MiB' }) +
    volumeDocument({ name: 'two', match: match(two.path), filesystem: 'ext4', type: 'disk' });
  return { text, one, two };
}

testWith(
  root,
  program('mkfs.xfs'),
  program('mkfs.ext4'),
)(
  'volumes become ready on loop disks, survive a kill of the agent with their data, and only certificates get in',
  async (t) => {
    t.timeout(180_000);
    const directory = await temporaryDirectory(t);
    const { text, two } = await twoDisks(t, directory);
    const spare = await loopDevice(t, { sizeBytes: 64 * mebibyte });
    await output(['mkfs.ext4', '-q', spare.path]);
    const first = await AgentProcess.start(t, directory);
    const fingerprint = (await readFile(join(directory, 'run/maintenance-fingerprint'), 'utf8')).trim();
    t.true(first.lines.some((line) => line.includes(`--cert-fingerprint ${fingerprint}`)));
    const reply = await anybody(t, first, fingerprint).applyConfiguration({ data: Buffer.from(text) });
    t.true(reply.durable);

    const { admin, reader } = await clients(t, first);
    const before = await ready(admin, ['u-one', 'u-two']);
    await t.throwsAsync(anybody(t, first).version(), { code: 'ERR_API_UNAUTHENTICATED' });
    await t.throwsAsync(reader.applyConfiguration({ data: Buffer.from(text) }), { code: 'ERR_API_DENIED' });
    const mount = join(directory, 'root/var/mnt/one');
    await writeFile(join(mount, 'file'), 'still here');

    await first.kill();
    const second = await AgentProcess.start(t, directory);
    const again = await clients(t, second);
    const after = await ready(again.reader, ['u-one', 'u-two']);
    t.is(await readFile(join(mount, 'file'), 'utf8'), 'still here');
    for (const id of ['u-one', 'u-two']) t.is(after.get(id)?.uuid, before.get(id)?.uuid, id);
    await t.throwsAsync(wipe(again.reader, spare.path), { code: 'ERR_API_DENIED' });
    await t.throwsAsync(wipe(again.admin, two.path), {
      code: 'ERR_API_CONFLICT',
      message: /used by volume u-two/,
    });
    t.is(await wipe(again.admin, spare.path), WipeState.DONE);
    t.like(await emptiness(spare.path), { empty: true });
    t.is(await wipeVolume(again.admin, 'u-two'), WipeState.DONE);
    let anew = await ready(again.reader, ['u-two']);
    const { uuid } = before.get('u-two') ?? {};
    while (anew.get('u-two')?.uuid === uuid) anew = await ready(again.reader, ['u-two']); // the status of before
    t.is((await again.reader.mounts()).mounts.filter(({ target }) => target === mount).length, 1);

    t.is(await second.stop(), 0);
    t.true((await output(['findmnt', mount])).includes('xfs'), 'a stop leaves the mounts of a host');
    const third = await AgentProcess.start(t, directory, ['--unmount-on-exit']);
    await ready((await clients(t, third)).reader, ['u-one', 'u-two']);
    t.is(await third.stop(), 0);
    t.not((await command(['findmnt', mount])).code, 0, 'unless it is asked not to');
  },
);

testWith(root)('no passphrase leaves the agent: log, resources, errors, difference, process', async (t) => {
  t.timeout(120_000);
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory, ['--log-level', 'trace']);
  // No disk matches: what is looked for is where the passphrase may not be, not what it opens.
  const volume = { name: 'data', match: 'disk.size == 1u', passphrase: marker };
  const text = rootDocument(ca) + volumeDocument(volume);
  await anybody(t, agent).applyConfiguration({ data: Buffer.from(text) });
  const { admin } = await clients(t, agent);
  const seen: string[] = [];
  const changed = text.replace(marker, `${marker}-changed`);
  const dry = await admin.applyConfiguration({ data: Buffer.from(changed), dryRun: true });
  seen.push(dry.diff, dry.modeDetails, ...dry.warnings);
  t.not(dry.diff, '');
  for (const broken of [
    text.replace(`passphrase: ${marker}`, `passphrase: [${marker}]`),
    text.replace(marker, `"${marker}`),
    text.replace(marker, `${marker}\n      cipher: ${marker}`),
  ]) {
    const call = admin.applyConfiguration({ data: Buffer.from(broken) });
    const error = await t.throwsAsync(call, { code: 'ERR_API_INVALID' });
    seen.push(error.message, error.stack ?? '', JSON.stringify(error));
  }
  for (const { type } of definitions) {
    for await (const { resources } of admin.list({ type })) {
      for (const { spec } of resources) seen.push(Buffer.from(spec).toString());
    }
  }
  for (const name of ['cmdline', 'environ']) seen.push(await readFile(`/proc/${agent.pid}/${name}`, 'utf8'));
  t.is(await agent.stop(), 0);
  seen.push(...agent.lines);
  t.true(seen.length > 20);
  t.deepEqual(
    seen.filter((each) => each.includes(marker)),
    [],
  );
  // On the disk there is one copy, and only its owner may read it.
  const files = await readdir(join(directory, 'state'), { recursive: true, withFileTypes: true });
  const holding = files.filter((file) => file.isFile());
  const texts = await Promise.all(holding.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
  t.deepEqual(
    holding.filter((_, index) => texts[index]?.includes(marker)).map(({ name }) => name),
    ['config.yaml'],
  );
});
