import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ReadCaptureFileResponse } from '@nodecore/api/capture';
import test from 'ava';

import { captureNode } from './capture-node.ts';

/** A node with a capture of 200 000 bytes, something that is no file, and a way out of the directory. */
async function nodeWithFiles(t: Parameters<typeof captureNode>[0]) {
  const node = await captureNode(t);
  await mkdir(join(node.directory, 'folder'), { recursive: true });
  const bytes = Buffer.alloc(200_000, 'packets ');
  await writeFile(join(node.directory, 'a-00001.pcap'), bytes);
  await writeFile(join(node.directory, '../secret'), 'not a capture');
  await symlink('../secret', join(node.directory, 'link'));
  return { ...node, bytes };
}

async function joined(pieces: AsyncIterable<ReadCaptureFileResponse>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const { data } of pieces) all.push(data);
  return Buffer.concat(all);
}

test('files that captures left are listed, read whole and removed, and the log says who did', async (t) => {
  const { as, audit, bytes, directory } = await nodeWithFiles(t);
  const client = await as(['os:capture']);
  const { files } = await client.captureFiles();
  t.deepEqual(
    files.map(({ name, sizeBytes }) => [name, sizeBytes]),
    [['a-00001.pcap', 200_000n]],
  );
  t.true(Math.abs(Number(files[0]?.modifiedMillis) - Date.now()) < 60_000);
  t.deepEqual(await joined(client.readCaptureFile({ name: 'a-00001.pcap' })), bytes);
  await client.removeCaptureFile({ name: 'a-00001.pcap' });
  t.deepEqual((await readdir(directory)).toSorted(), ['folder', 'link']);
  t.deepEqual(
    audit().map(({ action, file, outcome, roles }) => [action, file, outcome, roles]),
    ['read-capture', 'remove-capture'].flatMap((action) =>
      ['begun', 'done'].map((outcome) => [action, 'a-00001.pcap', outcome, ['os:capture']]),
    ),
  );
});

test('a node on which nothing was captured has no files', async (t) => {
  const { as } = await captureNode(t);
  t.deepEqual((await (await as(['os:admin'])).captureFiles()).files, []);
});

for (const [name, code, reason] of [
  ['gone.pcap', 'ERR_API_NOT_FOUND', 'ERR_CAPTURES_FILE'],
  ['folder', 'ERR_API_NOT_FOUND', 'ERR_CAPTURES_FILE'],
  ['link', 'ERR_API_NOT_FOUND', 'ERR_CAPTURES_FILE'],
  ['../secret', 'ERR_API_INVALID', 'ERR_CAPTURES_REQUEST'],
  ['', 'ERR_API_INVALID', 'ERR_CAPTURES_REQUEST'],
] as const)
  test(`${JSON.stringify(name)} can neither be read nor removed`, async (t) => {
    const { as, directory } = await nodeWithFiles(t);
    const client = await as(['os:admin']);
    t.like(await t.throwsAsync(joined(client.readCaptureFile({ name }))), { code, reason });
    t.like(await t.throwsAsync(client.removeCaptureFile({ name })), { code, reason });
    t.deepEqual((await readdir(directory)).toSorted(), ['a-00001.pcap', 'folder', 'link']);
  });

test('files are for administrators and the role for captures', async (t) => {
  const { as } = await nodeWithFiles(t);
  for (const role of ['os:reader', 'os:operator']) {
    const client = await as([role]);
    await t.throwsAsync(client.captureFiles(), { code: 'ERR_API_DENIED' });
    await t.throwsAsync(joined(client.readCaptureFile({ name: 'a-00001.pcap' })), { code: 'ERR_API_DENIED' });
    await t.throwsAsync(client.removeCaptureFile({ name: 'a-00001.pcap' }), { code: 'ERR_API_DENIED' });
  }
});
