import { randomBytes } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Client, connect, decodeSpec } from '@nodecore/api';
import { type TrimResponse, TrimState } from '@nodecore/api/trim';
import * as pki from '@nodecore/pki';
import { command, loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { volumeTrimStatuses } from '../src/trims/definitions.ts';
import { volumeStatuses } from '../src/volumes/definitions.ts';
import { AgentProcess } from './agent-process.ts';
import { authority, rootDocument, volumeDocument } from './documents.ts';

const ca = await authority();
const mebibyte = 1 << 20;

type Status = Readonly<Record<string, unknown>> & { readonly last?: Readonly<Record<string, unknown>> };

/** Waits until the resource of a volume is as wanted. */
async function until(
  client: Client,
  type: string,
  id: string,
  wanted: (status: Status) => boolean,
): Promise<Status> {
  for await (const { events } of client.watch({ type })) {
    for (const { resource } of events) {
      if (resource?.metadata?.id !== id) continue;
      const status = decodeSpec(resource.spec) as Status;
      if (wanted(status)) return status;
    }
  }
  throw new Error('the watch ended');
}

async function clientOf(t: ExecutionContext, agent: AgentProcess, role: string): Promise<Client> {
  const { crt, key } = await pki.issueClient(ca, { roles: [role] });
  const client = connect({ endpoint: agent.endpoint, ca: ca.crt, crt, key });
  t.teardown(() => client.close());
  return client;
}

function volume(name: string, path: string): string {
  return volumeDocument({ name, match: `disk.dev_path == "${path}"`, filesystem: 'ext4', type: 'disk' });
}

/** What a backing file takes on its disk. */
async function usedBytes(file: string): Promise<number> {
  await output(['sync', '-f', file]);
  return (await stat(file)).blocks * 512;
}

async function all(events: AsyncIterable<TrimResponse>): Promise<TrimResponse[]> {
  const list: TrimResponse[] = [];
  for await (const event of events) list.push(event);
  return list;
}

testWith(root, program('mkfs.ext4'))(
  'volumes are trimmed at their slots and on demand, and their disks get back what is free',
  async (t) => {
    t.timeout(180_000);
    const directory = await temporaryDirectory(t);
    const one = await loopDevice(t, { sizeBytes: 512 * mebibyte });
    const two = await loopDevice(t, { sizeBytes: 512 * mebibyte });
    const target = (name: string): string => join(directory, 'root/var/mnt', name);
    t.teardown(async () => {
      for (const name of ['one', 'two']) await command(['umount', target(name)]);
    });
    const trims = '---\napiVersion: v1alpha1\nkind: FilesystemTrimConfig\ninterval: 10s\n';
    const text =
      rootDocument(ca) +
      volume('one', one.path) +
      volume('two', two.path).replace(/\n$/, '\ntrim: {enabled: false}\n') +
      trims;
    const agent = await AgentProcess.start(t, directory, ['--unmount-on-exit']);
    const fingerprints = [(await readFile(join(directory, 'run/maintenance-fingerprint'), 'utf8')).trim()];
    const anybody = connect({ endpoint: agent.endpoint, insecure: true, fingerprints });
    t.teardown(() => anybody.close());
    const { warnings } = await anybody.applyConfiguration({ data: Buffer.from(text) });
    t.true(
      warnings.some((warning) => warning.includes('wear out a disk')),
      warnings.join(),
    );

    const operator = await clientOf(t, agent, 'os:operator');
    for (const id of ['u-one', 'u-two'])
      await until(operator, volumeStatuses.type, id, ({ phase }) => phase === 'ready');
    const removeAgain = async (name: string): Promise<void> => {
      const file = join(target(name), 'file');
      await writeFile(file, randomBytes(100 * mebibyte));
      await output(['sync', '-f', file]);
      await rm(file);
      await output(['sync', '-f', target(name)]);
    };

    await removeAgain('one');
    const full = await usedBytes(one.file);
    const removed = Date.now();
    const status = await until(operator, volumeTrimStatuses.type, 'u-one', ({ phase, last }) => {
      return (
        phase === 'scheduled' && last?.['outcome'] === 'done' && Date.parse(String(last['started'])) > removed
      );
    });
    t.like(status, {
      last: { trigger: 'slot', errorCode: undefined },
      skipped: undefined,
      intervalSeconds: 10,
    });
    t.true(Date.parse(String(status['next'])) > Date.now() - 10_000);
    t.true(full - (await usedBytes(one.file)) > 90 * mebibyte);

    await removeAgain('two');
    const before = await usedBytes(two.file);
    const planned = await all(operator.trim({ volumes: ['u-two'], dryRun: true }));
    t.like(planned, [{ volume: 'u-two', state: TrimState.PLANNED, disks: [two.path.slice('/dev/'.length)] }]);
    t.is(await usedBytes(two.file), before);
    const events = await all(operator.trim({ volumes: ['u-two'] }));
    t.like(events.at(-1), { volume: 'u-two', state: TrimState.DONE, totalBytes: BigInt(512 * mebibyte) });
    t.true(before - (await usedBytes(two.file)) > 90 * mebibyte);
    const asked = await until(operator, volumeTrimStatuses.type, 'u-two', ({ phase }) => phase === 'off');
    t.like(asked, { last: { trigger: 'request', outcome: 'done' }, next: undefined });

    const reader = await clientOf(t, agent, 'os:reader');
    await t.throwsAsync(all(reader.trim({ volumes: ['u-two'] })), { code: 'ERR_API_DENIED' });
    await t.throwsAsync(all(operator.trim({ volumes: ['u-x'] })), { code: 'ERR_API_NOT_FOUND' });
    t.like(await until(reader, volumeTrimStatuses.type, 'u-two', () => true), { phase: 'off' });
    t.true(agent.lines.some((line) => line.includes('"action":"trim"') && line.includes('os:operator')));

    const running = all(operator.trim({})).catch(() => []);
    t.is(await agent.stop(), 0);
    await running;
    for (const name of ['one', 'two'])
      t.not((await command(['findmnt', target(name)])).code, 0, `${name} is unmounted`);
    const records = JSON.parse(await readFile(join(directory, 'state/trims.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    t.deepEqual(Object.keys(records).sort(), ['u-one', 'u-two']);
  },
);
