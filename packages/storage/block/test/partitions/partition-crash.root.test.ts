import { randomUUID } from 'node:crypto';
import { copyFile, open, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { codeOf } from '@nodecore/sys';
import { output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { emptiness } from '../../src/proof/emptiness.ts';
import * as partitions from '../../src/partitions/partitions.ts';
import '../patient-proofs.ts';

/*
 * Every write goes to the medium before the next begins (O_DSYNC), so what a power cut leaves is a prefix of the writes,
 * the last of them perhaps cut between two sectors. The writes are recorded from the real program by strace, and every
 * such prefix is replayed on the image as it was before.
 */

const mib = 1 << 20;
const sector = 512;
const script = fileURLToPath(new URL('fixtures/change-table.ts', import.meta.url));

type Write = { readonly offset: number; readonly bytes: Buffer };

async function image(t: ExecutionContext): Promise<string> {
  const path = join(await temporaryDirectory(t), 'disk.img');
  await using file = await open(path, 'w');
  await file.truncate(32 * mib);
  return path;
}

/** Runs a change on the image and returns what it wrote, in order. */
async function record(path: string, change: string, guid: string): Promise<Write[]> {
  const log = `${path}.strace`;
  const calls = ['-e', 'trace=write,pwrite64,lseek,openat,writev,pwritev,pwritev2,sendfile,copy_file_range'];
  const node = [process.execPath, '--conditions=source', script, path, change, guid] as const;
  await output(['strace', '-f', '-xx', '-s', String(2 * mib), '-o', log, '-P', path, ...calls, ...node]);
  return parse(await readFile(log, 'latin1'));
}

/** The arguments are all in the line of a call's beginning, also where another thread's line cuts it in two. */
function parse(log: string): Write[] {
  const positions = new Map<string, number>();
  const writes: Write[] = [];
  for (const line of log.split('\n')) {
    const call = /^\d+ +(\w+)\((.*)$/.exec(line);
    if (call === null) continue;
    const [, name = '', rest = ''] = call;
    const [fd = ''] = rest.split(',');
    if (name === 'lseek') {
      const seek = /^\d+, (\d+), SEEK_SET/.exec(rest);
      if (seek !== null) positions.set(fd, Number(seek[1]));
    } else if (name === 'write' || name === 'pwrite64') {
      const data = /^\d+, "((?:\\x[0-9a-f]{2})*)", (\d+)(?:, (\d+))?/.exec(rest);
      if (data === null) throw new Error(`strace: ${line.slice(0, 80)}`);
      const bytes = Buffer.from((data[1] ?? '').replaceAll('\\x', ''), 'hex');
      if (bytes.length !== Number(data[2])) throw new Error('strace: a write is cut short');
      const offset = data[3] === undefined ? positions.get(fd) : Number(data[3]);
      if (offset === undefined) throw new Error('strace: a write without a position');
      writes.push({ offset, bytes });
      if (data[3] === undefined) positions.set(fd, offset + bytes.length);
    } else if (name !== 'openat') throw new Error(`strace: unexpected ${name}`);
  }
  return writes;
}

/** What is left when the power goes after some writes, and within one: each with a name. */
function* prefixes(before: Buffer, writes: readonly Write[]): Generator<[string, Buffer]> {
  const state = Buffer.from(before);
  yield ['before the first write', Buffer.from(state)];
  for (const [n, { offset, bytes }] of writes.entries()) {
    const sectors = bytes.length / sector;
    for (const done of new Set([1, sectors >> 1, sectors - 1])) {
      if (done < 1 || done >= sectors) continue;
      const torn = Buffer.from(state);
      bytes.copy(torn, offset, 0, done * sector);
      yield [`after ${done} of ${sectors} sectors of write ${n + 1} at ${offset}`, torn];
    }
    bytes.copy(state, offset);
    yield [`after write ${n + 1} at ${offset}`, Buffer.from(state)];
  }
}

/** Replays every prefix and asks for the table; the states must go from the first to the second and never back. */
async function replay(
  t: ExecutionContext,
  path: string,
  change: string,
  guid: string,
  describe: (image: string) => Promise<string>,
): Promise<void> {
  const before = await readFile(path);
  const old = await describe(path);
  const writes = await record(path, change, guid);
  t.true(writes.length >= 5, 'both copies and the MBR are written');
  const made = await describe(path);
  t.not(made, old);
  const scratch = `${path}.replay`;
  let seen = old;
  let count = 0;
  for (const [when, bytes] of prefixes(before, writes)) {
    await writeFile(scratch, bytes);
    const found = await describe(scratch);
    t.true(found === old || found === made, `${when}: ${found}`);
    t.false(seen === made && found === old, `${when}: the change was there and is gone`);
    seen = found;
    count += 1;
  }
  t.is(seen, made);
  t.log(`${writes.length} writes, ${count} moments`);
}

/** The entries of the table, which must be readable. */
async function entries(path: string): Promise<string> {
  const table = await partitions.read(path);
  return table === undefined
    ? 'no table'
    : table.partitions
        .map(({ label, offset, size, underConstruction }) =>
          [label, offset, size, underConstruction].join(' '),
        )
        .join(', ');
}

const needs = [root, program('strace'), program('sgdisk')] as const;

async function withPartition(t: ExecutionContext): Promise<[string, string]> {
  const path = await image(t);
  await partitions.create(path);
  const { partitionGuid } = await partitions.add(path, {
    label: 'u-old',
    typeGuid: '0fc63daf-8483-4772-8e79-3d69d8477de4',
    partitionGuid: randomUUID(),
    sizeBytes: BigInt(10 * mib),
    underConstruction: true,
  });
  return [path, partitionGuid];
}

testWith(...needs)('at any moment of a creation the device is empty or has the finished table', async (t) => {
  const path = await image(t);
  await replay(t, path, 'create', randomUUID(), async (state) => {
    if ((await partitions.read(state)) !== undefined) return 'table';
    const { empty } = await emptiness(state);
    if (!empty) return 'neither empty nor a table';
    const again = `${state}.again`;
    await copyFile(state, again);
    await partitions.create(again); // an interrupted creation is simply begun anew
    return 'empty';
  });
});

testWith(...needs)('at any moment of an addition the table is the old or the new one', async (t) => {
  const [path] = await withPartition(t);
  await replay(t, path, 'add', randomUUID(), entries);
});

testWith(...needs)('at any moment of a change of the mark it is set or cleared', async (t) => {
  const [path, guid] = await withPartition(t);
  await replay(t, path, 'clear', guid, entries);
});

testWith(...needs)('at any moment of a growth the partition has its old or its new size', async (t) => {
  const [path, guid] = await withPartition(t);
  await replay(t, path, 'grow', guid, entries);
});

testWith(...needs)('on a disk that has grown, too, a change is whole or not there', async (t) => {
  const [path] = await withPartition(t);
  await truncate(path, 48 * mib);
  await replay(t, path, 'add', randomUUID(), entries);
});

testWith(...needs)('at any moment of a removal the partition is there or gone', async (t) => {
  const [path, guid] = await withPartition(t);
  await replay(t, path, 'remove', guid, entries);
});

testWith(...needs)(
  'what any moment of a change has left is completed or undone by the next change',
  async (t) => {
    for (const change of ['add', 'plain', 'clear', 'grow', 'remove']) {
      const [path, guid] = await withPartition(t);
      const before = await readFile(path);
      const writes = await record(path, change, change === 'add' || change === 'plain' ? randomUUID() : guid);
      const scratch = `${path}.again`;
      for (const [when, bytes] of prefixes(before, writes)) {
        await writeFile(scratch, bytes);
        const seen = await partitions.read(scratch);
        t.is(seen?.damage, undefined, `${change}, ${when}`);
        await partitions
          .add(scratch, {
            label: 'u-next',
            typeGuid: '0fc63daf-8483-4772-8e79-3d69d8477de4',
            partitionGuid: randomUUID(),
            sizeBytes: BigInt(mib),
            underConstruction: true,
          })
          .catch((error: unknown) => t.is(codeOf(error), 'ERR_BLOCK_NO_SPACE', `${change}, ${when}`));
        const after = await partitions.read(scratch);
        t.is(after?.damage, undefined);
        for (const { label } of seen?.partitions ?? [])
          t.true(
            after?.partitions.some((one) => one.label === label),
            `${change}, ${when}`,
          );
      }
      t.regex(await output(['sgdisk', '--verify', scratch]), /No problems found/, change);
    }
  },
);
