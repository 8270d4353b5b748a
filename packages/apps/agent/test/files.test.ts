import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import type { Client } from '@nodecore/api';
import type { CopyReport, FileEntry } from '@nodecore/api/file';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';

/** A node with a configuration, and a tree to look at. */
async function node(t: ExecutionContext) {
  const api = await apiNode(t, { persisted: rootDocument(ca) });
  const root = await temporaryDirectory(t);
  mkdirSync(join(root, 'logs'));
  writeFileSync(join(root, 'logs/a.log'), 'one\ntwo\n');
  writeFileSync(join(root, 'large'), randomBytes(3 << 20));
  return { ...api, root };
}

async function list(client: Client, root: string, options: object = {}): Promise<FileEntry[]> {
  const found: FileEntry[] = [];
  for await (const { entries } of client.files.list({ root: Buffer.from(root), ...options }))
    found.push(...entries);
  return found;
}

async function read(client: Client, path: string, options: object = {}): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const { data } of client.files.read({ path: Buffer.from(path), ...options })) parts.push(data);
  return Buffer.concat(parts);
}

async function copy(client: Client, root: string) {
  const parts: Uint8Array[] = [];
  let report: CopyReport | undefined;
  for await (const answer of client.files.copy({ root: Buffer.from(root) })) {
    parts.push(answer.data);
    report = answer.report ?? report;
  }
  return { tar: gunzipSync(Buffer.concat(parts)), report };
}

test('readers see names and sizes; content is for admins, and who looks at it is in the trail', async (t) => {
  const { as, root, lines } = await node(t);
  const reader = await as(['os:reader']);
  const admin = await as(['os:admin']);
  t.deepEqual(
    (await list(reader, root, { depth: 1 })).map(({ path }) => Buffer.from(path).toString()),
    ['', 'large', 'logs'],
  );
  const rows = [];
  for await (const batch of reader.files.usage({ paths: [Buffer.from(root)] })) rows.push(...batch.rows);
  t.true(rows.length === 1 && rows[0]!.diskBytes >= 3n << 20n);
  const path = join(root, 'logs/a.log');
  for (const role of ['os:reader', 'os:operator', 'os:kvstore:backup']) {
    const client = await as([role]);
    await t.throwsAsync(read(client, path), { code: 'ERR_API_DENIED' } as object);
    await t.throwsAsync(copy(client, root), { code: 'ERR_API_DENIED' } as object);
  }
  t.is((await read(admin, path)).toString(), 'one\ntwo\n');
  await copy(admin, root);
  const trail = lines.map((line) => JSON.parse(line)).filter(({ audit }) => audit === true);
  t.deepEqual(
    trail.map(({ action, path: of, outcome }) => [action, of, outcome]),
    [
      ['read-file', path, 'begun'],
      ['read-file', path, 'done'],
      ['copy-files', root, 'begun'],
      ['copy-files', root, 'done'],
    ],
  );
});

test('a request that makes no sense, and a file that is none, have an error that says so', async (t) => {
  const { as, root } = await node(t);
  const admin = await as(['os:admin']);
  const cases: readonly (readonly [() => Promise<unknown>, string, RegExp])[] = [
    [() => list(admin, 'etc'), 'ERR_API_INVALID', /root: "etc" is not absolute/],
    [() => list(admin, '/etc\0/x'), 'ERR_API_INVALID', /has a NUL/],
    [() => list(admin, `/${'x'.repeat(4095)}`), 'ERR_API_INVALID', /longer than 4095 bytes/],
    [() => list(admin, '/etc', { types: [9] }), 'ERR_API_INVALID', /types: 9 is no type/],
    [() => list(admin, '/nowhere'), 'ERR_API_NOT_FOUND', /nowhere: there is no such file/],
    [() => read(admin, '/nowhere'), 'ERR_API_NOT_FOUND', /there is no such file/],
    [() => read(admin, root), 'ERR_API_CONFLICT', /is a directory/],
    [() => read(admin, '/dev/zero'), 'ERR_API_CONFLICT', /is not a regular file/],
    [() => read(admin, '/proc/self/mem', { offset: 4096n }), 'ERR_API_CONFLICT', /is not shown to anybody/],
    [
      () => read(admin, '/proc/self/root/etc/hostname'),
      'ERR_API_CONFLICT',
      /a link to what a process has open/,
    ],
    [
      () => read(admin, '/etc/hostname', { offset: 2n ** 60n }),
      'ERR_API_INVALID',
      /offset: .* is beyond 2\^53/,
    ],
    [() => copy(admin, '/nowhere'), 'ERR_API_NOT_FOUND', /there is no such file/],
    [() => Array.fromAsync(admin.files.usage({ paths: [] })), 'ERR_API_INVALID', /paths: 1 to 1000, not 0/],
  ];
  for (const [call, code, message] of cases) await t.throwsAsync(call, { code, message } as object);
});

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test('large files come whole, with and without the archive around them', async (t) => {
  const { as, root } = await node(t);
  const admin = await as(['os:admin']);
  const whole = await read(admin, join(root, 'large'));
  t.is(whole.length, 3 << 20);
  t.is(hash(await read(admin, join(root, 'large'), { offset: 1n << 20n })), hash(whole.subarray(1 << 20)));
  const { tar, report } = await copy(admin, root);
  t.true(tar.includes(whole.subarray(1 << 20, 2 << 20)));
  t.like(report, { files: 4n, bytes: (3n << 20n) + 8n, failed: 0n, sockets: 0n });
});

test.serial(
  'a caller that does not read holds what is made for it, and more than so many get none',
  async (t) => {
    const { as, root } = await node(t);
    const admin = await as(['os:admin']);
    const gone = new AbortController();
    const path = Buffer.from(join(root, 'logs/a.log'));
    const followed = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const following = admin.files.read({ path, follow: true }, { signal: gone.signal });
        const answers = following[Symbol.asyncIterator]();
        await answers.next();
        return answers;
      }),
    );
    await t.throwsAsync(list(admin, root), {
      code: 'ERR_API_ABORTED',
      message: /too many files are being read/,
    } as object);
    gone.abort(new Error('enough'));
    await Promise.allSettled(followed.map((answers) => answers.next()));
    const again = async (): Promise<number> => {
      for (;;)
        try {
          return (await list(admin, root)).length;
        } catch (error) {
          t.is((error as { code?: string }).code, 'ERR_API_ABORTED'); // a follower looks up every 100 ms
        }
    };
    t.is(await again(), 4);
  },
);
