import { watch } from 'node:fs';
import { copyFile, open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

import { compact, deletePrefix, getPrefix, put, status } from '@nodecore/kvstore';
import { etcdProgram, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { AgentProcess } from './agent-process.ts';
import { clientOf, configure, kvstoreDocument, memberOf, ownAddress } from './kvstore-agent.ts';

testWith(
  root,
  program('setpriv'),
  program('etcd'),
)(
  'a snapshot by who may do nothing else is what etcd says it is, and is kept whole or not at all',
  async (t) => {
    t.timeout(120_000);
    const directory = await temporaryDirectory(t);
    const agent = await AgentProcess.start(t, directory);
    const address = ownAddress();
    await configure(agent, directory, kvstoreDocument(address));
    const admin = await clientOf(t, [agent]);
    t.is((await admin(['bootstrap'])).code, 0);
    const member = await memberOf(t, address);
    const value = Buffer.alloc(64 << 10, 'v');
    for (let index = 0; index < 100; index += 1) await put(member, `key-${index}`, value);

    const backup = await clientOf(t, [agent], 'os:kvstore:backup');
    const file = join(directory, 'snapshot.db');
    const saved = await backup(['kvstore', 'snapshot', file]);
    t.is(saved.code, 0, saved.error);
    const { size, mode } = await stat(file);
    t.is(mode & 0o777, 0o600);
    const [first = '', second = ''] = saved.out.split('\n');
    t.is(first, `kvstore snapshot saved to "${file}" (${size} bytes)`);
    const text = await output([etcdProgram('etcdutl'), 'snapshot', 'status', file, '-w', 'json']);
    const status = JSON.parse(text) as Record<'hash' | 'revision' | 'totalKey' | 'totalSize', number>;
    const hash = status.hash.toString(16).padStart(8, '0');
    t.is(
      second,
      `snapshot info: hash ${hash}, revision ${status.revision}, total keys ${status.totalKey}, total size ${status.totalSize}`,
    );
    t.regex(saved.error, /\[#+\.*\] \d+ % of/);

    const again = await backup(['kvstore', 'snapshot', file]);
    t.is(again.code, 1);
    t.regex(again.error, /is there already; name another file, or give --force/);
    t.is((await backup(['kvstore', 'snapshot', file, '--force'])).code, 0);
    t.is((await backup(['kvstore', 'snapshot', '-'])).code, 2);
    t.is((await (await clientOf(t, [agent], 'os:reader'))(['kvstore', 'snapshot', file])).code, 4);
    for (const words of [['status'], ['members'], ['alarm', 'list']])
      t.is((await backup(['kvstore', ...words])).code, 0, words.join(' '));
    for (const words of [
      ['alarm', 'disarm', '8e9e05c52164694d:NOSPACE'],
      ['leave', '-y'],
    ])
      t.is((await backup(['kvstore', ...words])).code, 4, words.join(' '));

    const other = join(directory, 'other.db');
    // Large enough that most of it is still to come when its file appears.
    for (let index = 0; index < 300; index += 1) await put(member, `more-${index}`, value);
    const stopping = new AbortController();
    const watcher = watch(directory, (_event, name) => {
      if (name?.startsWith('other') === true) stopping.abort();
    });
    t.teardown(() => {
      watcher.close();
    });
    const cut = await backup(['kvstore', 'snapshot', other], { signal: stopping.signal });
    t.is(cut.code, 130);
    t.deepEqual(
      (await readdir(directory)).filter((name) => name.startsWith('other')),
      [],
    );
    t.true(
      agent.lines.some((line) => line.includes('"kvstore-snapshot"') && line.includes('os:kvstore:backup')),
    );
  },
);

testWith(
  root,
  program('setpriv'),
  program('etcd'),
)('a lost kvstore comes back from its snapshot, also when the node dies in the middle of it', async (t) => {
  t.timeout(180_000);
  const directory = await temporaryDirectory(t);
  const address = ownAddress();
  const first = await AgentProcess.start(t, directory);
  await configure(first, directory, kvstoreDocument(address));
  const before = await clientOf(t, [first]);
  t.is((await before(['bootstrap'])).code, 0);
  {
    await using member = await memberOf(t, address);
    for (let index = 0; index < 300; index += 1) await put(member, `key-${index}`, `value ${index}`);
  }
  const file = join(directory, 'snapshot.db');
  t.is((await before(['kvstore', 'snapshot', file])).code, 0);
  const refused = await before(['bootstrap', '--recover-from', file]);
  t.is(refused.code, 1);
  t.regex(refused.error, /there is a kvstore with data in .*, which is not replaced: take the member out/);
  const database = join(directory, 'copy.db');
  t.is(await first.stop(), 0);
  await copyFile(join(directory, 'state/kvstore/data/member/snap/db'), database);
  await rm(join(directory, 'state/kvstore'), { recursive: true });

  const second = await AgentProcess.start(t, directory);
  const dying = await clientOf(t, [second]);
  for (const [name, spoil, message] of spoilers) {
    const spoilt = join(directory, name);
    await copyFile(file, spoilt);
    await spoil(spoilt);
    const { code, error } = await dying(['bootstrap', '--recover-from', spoilt]);
    t.not(code, 0, name);
    t.regex(error, message, name);
  }
  t.is((await dying(['bootstrap', '--recover-from', join(directory, 'none')])).code, 1);
  t.is((await dying(['bootstrap', '--recover-skip-hash-check'])).code, 2);
  const cut = await dying(['bootstrap', '--recover-from', file], {
    onError: (text) => {
      if (text.includes('making a database')) process.kill(second.pid, 'SIGKILL');
    },
  });
  t.not(cut.code, 0);
  await second.kill();

  const third = await AgentProcess.start(t, directory);
  const admin = await clientOf(t, [third]);
  const recovered = await admin(['bootstrap', '--recover-from', file, '--revision-bump', '1000000']);
  t.is(recovered.code, 0, recovered.error);
  t.regex(recovered.out, /^recovering from snapshot ".*": hash [0-9a-f]{8}, revision \d+, total keys \d+/);
  {
    await using member = await memberOf(t, address);
    const { entries } = await getPrefix(member, 'key-');
    t.is(entries.length, 300);
    t.true(entries.every(({ key, value }) => textOf(value) === `value ${textOf(key).slice('key-'.length)}`));
    t.true((await status(member, member.endpoints[0] ?? '')).revision > 1_000_000n);
    await put(member, 'after', 'it');
  }
  const left = await readdir(join(directory, 'state/kvstore'));
  t.deepEqual(
    left.filter((name) => name.startsWith('recover') || name === 'beginning.json'),
    [],
  );
  t.deepEqual(
    (await readdir(join(directory, 'state/kvstore/data'))).filter((name) => name.startsWith('.')),
    [],
  );

  t.is(await third.stop(), 0);
  await rm(join(directory, 'state/kvstore'), { recursive: true });
  const fourth = await AgentProcess.start(t, directory);
  const again = await clientOf(t, [fourth]);
  t.is((await again(['bootstrap'])).code, 0, 'an empty one, by mistake');
  const withoutHash = await again(['bootstrap', '--recover-from', database]);
  t.is(withoutHash.code, 2);
  t.regex(withoutHash.error, /--recover-skip-hash-check/);
  const copied = await again(['bootstrap', '--recover-from', database, '--recover-skip-hash-check']);
  t.is(copied.code, 0, copied.error);
  await using member = await memberOf(t, address);
  t.is((await getPrefix(member, 'key-')).entries.length, 300, 'what was never written to is replaced');
});

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

/** What may become of a file on its way, and what is said of it. */
const spoilers: readonly (readonly [string, (path: string) => Promise<void>, RegExp])[] = [
  ['truncated', async (path) => truncate(path, (await stat(path)).size - 5000), /ends after|SHA-256/],
  [
    'flipped',
    async (path) => {
      await using handle = await open(path, 'r+');
      const at = Math.floor((await readFile(path)).length / 2);
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
      await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 0x10]), 0, 1, at);
    },
    /SHA-256/,
  ],
  ['empty', (path) => truncate(path, 0), /is empty/],
];

testWith(
  root,
  program('setpriv'),
  program('etcd'),
)(
  'a node takes snapshots of its own, and a defragmentation gives back what is free, when that pays',
  async (t) => {
    t.timeout(120_000);
    const directory = await temporaryDirectory(t);
    const agent = await AgentProcess.start(t, directory);
    const address = ownAddress();
    await configure(agent, directory, kvstoreDocument(address, ['snapshots: {interval: 1h, rehearse: 1h}']));
    const admin = await clientOf(t, [agent]);
    t.is((await admin(['bootstrap'])).code, 0);
    const seen = new AbortController();
    let rehearsed = '';
    await admin(['get', 'kvstoresnapshots', '--watch', '-o', 'json'], {
      signal: seen.signal,
      onOutput: (out) => {
        rehearsed = out;
        if (out.includes('lastRehearsal')) seen.abort();
      },
    });
    t.regex(rehearsed, /"result": ?"proven"/);
    t.regex(rehearsed, /"provenRestorable": ?"20/);
    const kept = await readdir(join(directory, 'state/kvstore-snapshots'));
    t.true(kept.length === 1 && kept.every((name) => name.endsWith('.db')), kept.join());
    const operator = await clientOf(t, [agent], 'os:operator');
    const early = await operator(['kvstore', 'defrag']);
    t.is(early.code, 0, early.error);
    t.regex(early.out, /skipped/);

    await using member = await memberOf(t, address);
    const value = Buffer.alloc(512 << 10, 'v');
    for (let index = 0; index < 80; index += 1) await put(member, `key-${index}`, value);
    await deletePrefix(member, 'key-');
    await compact(member, (await status(member, member.endpoints[0] ?? '')).revision, { physical: true });
    const planned = await operator(['kvstore', 'defrag', '--dry-run', '-o', 'json']);
    t.is(planned.code, 0, planned.error);
    const [plan] = JSON.parse(planned.out) as [Record<string, unknown>];
    t.like(plan, { result: 'planned', message: '' });
    t.true(Number(plan['dbSizeBeforeBytes']) > 40 << 20);

    const done = await operator(['kvstore', 'defrag']);
    t.is(done.code, 0, done.error);
    t.regex(done.out, /^NODE +MEMBER +RESULT +BEFORE +AFTER +STALL SECONDS/);
    t.regex(done.out, /done/);
    const { dbSizeBytes } = await status(member, member.endpoints[0] ?? '');
    t.true(dbSizeBytes < 2n << 20n, `${dbSizeBytes}`);
    t.is((await (await clientOf(t, [agent], 'os:reader'))(['kvstore', 'defrag'])).code, 4);
    t.is((await (await clientOf(t, [agent], 'os:kvstore:backup'))(['kvstore', 'defrag'])).code, 4);
    t.true((await readdir(join(directory, 'state/kvstore'))).includes('stalls.json'));
  },
);

testWith(
  root,
  program('setpriv'),
  program('etcd'),
)('a store over its quota takes writes again after one command', async (t) => {
  t.timeout(120_000);
  const directory = await temporaryDirectory(t);
  const agent = await AgentProcess.start(t, directory);
  const address = ownAddress();
  await configure(
    agent,
    directory,
    kvstoreDocument(address, ['extraArgs: {quota-backend-bytes: "16777216"}']),
  );
  const operator = await clientOf(t, [agent], 'os:operator');
  t.is((await (await clientOf(t, [agent]))(['bootstrap'])).code, 0);
  t.regex((await operator(['kvstore', 'recover-space'])).out, /no NOSPACE alarm/);
  await using member = await memberOf(t, address);
  const value = Buffer.alloc(512 << 10, 'v');
  const fill = async (): Promise<void> => {
    for (let index = 0; index < 100; index += 1) await put(member, 'the same key', value);
  };
  await t.throwsAsync(fill(), { code: 'ERR_KVSTORE_NO_SPACE' });
  t.regex((await operator(['kvstore', 'alarm', 'list'])).out, /NOSPACE/);

  const recovered = await operator(['kvstore', 'recover-space']);
  t.is(recovered.code, 0, recovered.error);
  t.regex(recovered.out, /NOSPACE/);
  await put(member, 'after', 'it');
  t.is((await operator(['kvstore', 'alarm', 'list'])).out, '');
  t.is((await (await clientOf(t, [agent], 'os:reader'))(['kvstore', 'recover-space'])).code, 4);
});
