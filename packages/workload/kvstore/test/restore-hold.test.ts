import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { output, temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import {
  confirmRestore,
  isKvstoreError,
  KvstoreError,
  restoreSnapshot,
  type RestoreSnapshotOptions,
  resumeRestore,
  undoRestore,
  verifySnapshot,
} from '../src/index.ts';

/**
 * A program that restores like etcdutl as far as files go. It waits for the other end of a pipe `gate` beside it, when there
 * is one, and refuses what looks like a flag.
 */
const program = `#!/bin/sh
here=$(dirname "$0")
case $3 in /*) ;; *) echo "unknown shorthand flag in $3" >&2; exit 2 ;; esac
[ ! -p "$here/gate" ] || cat "$here/gate" > /dev/null
for word; do case $word in --data-dir=*) made=\${word#*=} ;; esac; done
mkdir -p "$made/member/snap" "$made/member/wal" && head -c -32 "$3" > "$made/member/snap/db"
`;

type Scene = {
  readonly directory: string;
  readonly dataDirectory: string;
  /** Of two snapshots whose cluster versions tell them apart: 3.4.0 and 3.4.1. */
  readonly options: (version: 0 | 1) => RestoreSnapshotOptions;
};

async function scene(t: ExecutionContext): Promise<Scene> {
  const directory = await temporaryDirectory(t);
  const bytes = gunzipSync(await readFile(new URL('fixtures/etcd-3.4.23.db.gz', import.meta.url)));
  await writeFile(join(directory, '0.db'), bytes);
  const other = Buffer.from(bytes.toString('latin1').replaceAll('3.4.0', '3.4.1'), 'latin1').subarray(0, -32);
  await writeFile(join(directory, '1.db'), [other, createHash('sha256').update(other).digest()]);
  const etcdutl = join(directory, 'etcdutl');
  await writeFile(etcdutl, program, { mode: 0o700 });
  // Of the second, which never waits: were it not refused, the test would fail and not hang.
  const ungated = join(directory, 'other', 'etcdutl');
  await mkdir(join(directory, 'other'));
  await writeFile(ungated, program, { mode: 0o700 });
  const dataDirectory = join(directory, 'data');
  const cluster = { members: { one: ['http://127.0.0.1:2380'] } };
  return {
    directory,
    dataDirectory,
    options: (version) => ({
      file: join(directory, `${version}.db`),
      dataDirectory,
      name: 'one',
      cluster,
      replace: true,
      etcdutl: version === 0 ? etcdutl : ungated,
    }),
  };
}

/** Which of the two is there. */
async function restored(dataDirectory: string): Promise<string | undefined> {
  return (await verifySnapshot(join(dataDirectory, 'member/snap/db'))).clusterVersion;
}

test.serial('of two restores at once the second is refused, and the first has what it made', async (t) => {
  const { directory, dataDirectory, options } = await scene(t);
  const gate = join(directory, 'gate');
  await output(['mkfifo', gate]);
  const first = restoreSnapshot(options(0));
  await using held = await open(gate, 'w'); // opens when etcdutl reads
  const locked = { instanceOf: KvstoreError, code: 'ERR_KVSTORE_LOCKED' };
  await t.throwsAsync(restoreSnapshot(options(1)), {
    ...locked,
    message: new RegExp(`^${dataDirectory}: the process ${process.pid} restores there; wait for that to end`),
  });
  await t.throwsAsync(resumeRestore(dataDirectory), locked);
  await t.throwsAsync(confirmRestore(dataDirectory), locked);
  await t.throwsAsync(undoRestore(dataDirectory), locked);
  await held.close();
  await first;
  t.is(await restored(dataDirectory), '3.4.0');
  t.deepEqual(await readdir(dataDirectory), ['member']);
});

test.serial(
  'a restore of another process is respected, and what it leaves when it is killed is not',
  async (t) => {
    const { directory, dataDirectory, options } = await scene(t);
    const gate = join(directory, 'gate');
    await output(['mkfifo', gate]);
    const script = fileURLToPath(new URL('restore-in-child.ts', import.meta.url));
    const { file, name, etcdutl = '' } = options(0);
    const words = [file, dataDirectory, name, 'http://127.0.0.1:2380', etcdutl];
    const child = spawn(process.execPath, ['--conditions=source', script, ...words], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await using _held = await open(gate, 'w');
    await t.throwsAsync(restoreSnapshot(options(1)), {
      code: 'ERR_KVSTORE_LOCKED',
      message: new RegExp(`the process ${child.pid} restores there`),
    });
    child.kill('SIGKILL');
    await ended;
    await output(['rm', gate]);
    await restoreSnapshot(options(1));
    t.is(await restored(dataDirectory), '3.4.1');
    t.deepEqual(await readdir(dataDirectory), ['member']);
  },
);

test.serial(
  'whenever two restores begin, who succeeds has its data there, and who does not says why',
  async (t) => {
    const { dataDirectory, options } = await scene(t);
    let both = 0;
    for (let round = 0; round < 12; round += 1) {
      const done: number[] = [];
      const ends = await Promise.allSettled(
        ([0, 1] as const).map(async (version) => {
          // When to begin, not what to wait for: before, in and after the other one.
          if (version === 1) await sleep(round * 10);
          await restoreSnapshot(options(version));
          done.push(version);
        }),
      );
      for (const end of ends) {
        if (end.status === 'rejected')
          t.true(isKvstoreError(end.reason, 'ERR_KVSTORE_LOCKED'), String(end.reason));
      }
      t.true(done.length > 0);
      both += done.length - 1;
      t.is(await restored(dataDirectory), `3.4.${done.at(-1)}`);
    }
    t.log(`in ${both} of 12 rounds one came after the other`);
  },
);

/** Calls a function at each fsync of a path of this process, before it is done. */
async function atEachSync(t: ExecutionContext, seen: (path: string) => void): Promise<void> {
  await using handle = await open('/dev/null');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  // oxlint-disable-next-line typescript/unbound-method -- it is called on a handle
  const { sync } = prototype;
  t.teardown(() => {
    prototype.sync = sync;
  });
  prototype.sync = async function (this: FileHandle) {
    seen(readlinkSync(`/proc/self/fd/${this.fd}`));
    await sync.call(this);
  };
}

test.serial('what was made is on the disk before the mark says that it is', async (t) => {
  const { dataDirectory, options } = await scene(t);
  const work = join(dataDirectory, '.restore');
  const seen: string[] = [];
  await atEachSync(t, (path) => {
    const marks = ['made', 'complete'].filter((name) => existsSync(join(work, name)));
    const short = path.replace(/made-[0-9a-f-]{36}/, 'making').replace(dataDirectory, '');
    seen.push(`${short}: ${marks.join(' ')}`);
  });
  await restoreSnapshot(options(0));
  t.deepEqual(
    seen.filter((line) => !line.startsWith('/.restore/making/member/wal')),
    [
      '/.restore/making/member/snap/db: ',
      '/.restore/making/member/snap: ',
      '/.restore/making/member: ',
      '/.restore/making: ',
      '/.restore: made',
      '/.restore/complete: made complete',
      '/.restore: made complete',
      ': made complete',
      ': made complete', // switched, and the work not yet removed
      ': ',
    ],
  );
});

test.serial('a database that somebody puts in place of the restored one is no success', async (t) => {
  const { dataDirectory, options } = await scene(t);
  const database = join(dataDirectory, 'member/snap/db');
  await atEachSync(t, () => {
    if (!existsSync(database)) return;
    writeFileSync(`${database}.other`, 'of somebody else');
    renameSync(`${database}.other`, database);
  });
  await t.throwsAsync(restoreSnapshot(options(0)), {
    code: 'ERR_KVSTORE_FAILED',
    message: /another database than the one that was restored/,
  });
});

test.serial(
  'what the system refuses leaves with a code of ours, and what is asked for is checked first',
  async (t) => {
    const { directory, options } = await scene(t);
    const typed = { instanceOf: KvstoreError };
    const file = join(directory, '0.db');
    const at = (dataDirectory: string) => restoreSnapshot({ ...options(0), dataDirectory });
    await t.throwsAsync(at(file), { ...typed, code: 'ERR_KVSTORE_FILE_EXISTS' });
    await t.throwsAsync(at(join(file, 'below')), { ...typed, code: 'ERR_KVSTORE_FILE' });
    await t.throwsAsync(at(`${directory}/data\0x`), { ...typed, code: 'ERR_KVSTORE_INVALID' });
    await mkdir(join(directory, 'odd'));
    await writeFile(join(directory, 'odd', 'member'), 'no directory');
    await t.throwsAsync(at(join(directory, 'odd')), { ...typed, code: 'ERR_KVSTORE_FILE' });
    t.is(await resumeRestore(join(directory, 'nowhere')), 'nothing');
    t.false(await undoRestore(join(directory, 'nowhere')));
    for (const bumpRevision of [1n << 62n, (1n << 63n) - 1n, 1n << 64n]) {
      await t.throwsAsync(restoreSnapshot({ ...options(0), bumpRevision, markCompacted: true }), {
        ...typed,
        code: 'ERR_KVSTORE_INVALID',
        message: /bumpRevision goes beyond 4611686018427387904/,
      });
    }
    const members = { 'one,two=http://127.0.0.1:1': ['http://127.0.0.1:2'] };
    await t.throwsAsync(restoreSnapshot({ ...options(0), cluster: { members } }), {
      ...typed,
      message: /no comma/,
    });
    t.false(existsSync(join(directory, 'data')));
  },
);

test.serial('a file whose name begins with a dash is a file', async (t) => {
  const { directory, dataDirectory, options } = await scene(t);
  await writeFile(join(directory, '-dash.db'), await readFile(join(directory, '0.db')));
  const before = process.cwd();
  process.chdir(directory);
  try {
    await restoreSnapshot({ ...options(0), file: '-dash.db', dataDirectory: 'data' });
  } finally {
    process.chdir(before);
  }
  t.is(await restored(dataDirectory), '3.4.0');
});
