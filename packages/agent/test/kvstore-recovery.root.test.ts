import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { put } from '@nodecore/kvstore';
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
    t.regex(again.error, /is there already/);
    t.is((await backup(['kvstore', 'snapshot', file, '--force'])).code, 0);
    t.is((await backup(['kvstore', 'snapshot', '-'])).code, 2);
    t.is((await (await clientOf(t, [agent], 'os:reader'))(['kvstore', 'snapshot', file])).code, 4);
    for (const words of [['status'], ['members'], ['alarm', 'list'], ['alarm', 'disarm'], ['leave', '-y']])
      t.is((await backup(['kvstore', ...words])).code, 4, words.join(' '));

    const other = join(directory, 'other.db');
    const stopping = new AbortController();
    const cut = await backup(['kvstore', 'snapshot', other], {
      signal: stopping.signal,
      onError: () => stopping.abort(),
    });
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
