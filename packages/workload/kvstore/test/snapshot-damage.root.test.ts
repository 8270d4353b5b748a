import { appendFile, copyFile, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { command, etcd, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import {
  compact,
  connect,
  deletePrefix,
  KvstoreError,
  put,
  saveSnapshot,
  snapshotStatus,
  type SnapshotStatus,
  verifySnapshot,
} from '../src/index.ts';
import { isSeparated, meaningOf, part } from './meaning.ts';
import { fillSmall } from './snapshot-shapes.ts';

const real = testWith(program('etcd'));
const digestBytes = 32;
const isLong = process.env['FAULT_CAMPAIGN'] === 'long';

/** A snapshot with branches, leaves, values of several pages, and pages that are free. */
async function sample(t: ExecutionContext): Promise<string> {
  const cluster = await etcd(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  await fillSmall(kvstore, 2_000);
  await put(kvstore, 'wide', Buffer.alloc(30_000, 'wide'));
  await deletePrefix(kvstore, '/registry/things/1');
  await compact(kvstore, await put(kvstore, 'last', 'x'), { physical: true });
  await fillSmall(kvstore, 300);
  const file = join(await temporaryDirectory(t), 'snapshot.db');
  await saveSnapshot(kvstore, { file });
  return file;
}

/** The same numbers in every run: a failure can be looked at again. */
function* numbers(seed: number): Generator<number, never, void> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

real('every flipped bit is noticed, unless it is in nothing that is used', async (t) => {
  const file = await sample(t);
  const whole = await readFile(file);
  const database = whole.subarray(0, -digestBytes);
  const { kinds } = meaningOf(database);
  t.true(isSeparated(database));
  const unsigned = `${file}.unsigned`;
  await writeFile(unsigned, database);
  const sound = await verifySnapshot(unsigned);
  const judged = (check: Promise<SnapshotStatus>): Promise<string> =>
    check.then(
      ({ hash, revision, totalKeys }) =>
        hash === sound.hash && revision === sound.revision && totalKeys === sound.totalKeys
          ? 'same'
          : 'another hash',
      (error: unknown) => (error instanceof Error && 'code' in error ? 'refused' : String(error)),
    );
  const places = Object.entries(part).map(([name, kind]) => ({
    name,
    offsets: Array.from(kinds.keys()).filter((offset) => kinds[offset] === kind),
  }));
  const flips = isLong ? 10_000 : 1_000;
  const counts = new Map<string, number>();
  const random = numbers(7);
  await using plain = await open(unsigned, 'r+');
  await using signed = await open(file, 'r+');
  for (let flip = 0; flip < flips; flip += 1) {
    const { name, offsets } = places[flip % places.length] ?? { name: '', offsets: [] };
    const offset = offsets[Math.floor(random.next().value * offsets.length)] ?? 0;
    const byte = Buffer.of(database.readUInt8(offset) ^ (1 << Math.floor(random.next().value * 8)));
    const original = database.subarray(offset, offset + 1);

    await plain.write(byte, 0, 1, offset);
    const outcome = await judged(verifySnapshot(unsigned));
    await plain.write(original, 0, 1, offset);
    counts.set(`${name}: ${outcome}`, (counts.get(`${name}: ${outcome}`) ?? 0) + 1);
    // A snapshot's second meta page is a copy of the first, for bbolt and for us.
    if (name === 'nothing' || name === 'meta') t.is(outcome, 'same', `a bit of ${name} at ${offset}`);
    else if (name === 'branchKey' && outcome === 'same') {
      // Keys of branches only separate: one that still does leads every lookup where it led before.
      const changed = Buffer.from(database);
      byte.copy(changed, offset);
      t.true(isSeparated(changed), `a bit of ${name} at ${offset}`);
    } else t.not(outcome, 'same', `a bit of ${name} at ${offset}`);

    // The digest notices all of them; a part of the flips is enough to show it.
    if (flip % 5 !== 0) continue;
    await signed.write(byte, 0, 1, offset);
    await t.throwsAsync(verifySnapshot(file), { message: /next|copy it again|name a file|ends after/ });
    t.is(
      await judged(snapshotStatus(file)),
      outcome,
      'who does not look at the digest sees what there is to see',
    );
    await signed.write(original, 0, 1, offset);
  }
  t.is((await verifySnapshot(file)).digest, 'valid');
  t.log([...counts].map(([what, count]) => `${what}: ${count}`).join('\n'));
});

real('a bucket is exactly as long as bbolt writes it', async (t) => {
  const file = await sample(t);
  const database = (await readFile(file)).subarray(0, -digestBytes);
  const newest = database.readBigUInt64LE(64) >= database.readBigUInt64LE(4096 + 64) ? 0 : 4096;
  const root = Number(database.readBigUInt64LE(newest + 32)) * 4096;
  const buckets = database.readUInt16LE(root + 10);
  t.true(buckets > 5);
  const path = `${file}.longer`;
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const size = root + 16 + bucket * 16 + 12;
    const longer = Buffer.from(database);
    longer.writeUInt32LE(longer.readUInt32LE(size) + 1, size);
    await writeFile(path, longer);
    await t.throwsAsync(verifySnapshot(path), { code: 'ERR_KVSTORE_SNAPSHOT_DAMAGED' }, `bucket ${bucket}`);
  }
});

real('a page that claims the free pages behind it is refused', async (t) => {
  const file = await sample(t);
  const database = (await readFile(file)).subarray(0, -digestBytes);
  const { kinds } = meaningOf(database);
  const path = `${file}.claiming`;
  let refused = 0;
  for (let at = 2 * 4096; at < database.length - 4096; at += 4096) {
    const isFollowedByNothing = kinds
      .subarray(at + 4096, at + 2 * 4096)
      .every((kind) => kind === part.nothing);
    if (kinds[at] !== part.header || !isFollowedByNothing) continue;
    const claiming = Buffer.from(database);
    claiming.writeUInt32LE(claiming.readUInt32LE(at + 12) + 1, at + 12);
    await writeFile(path, claiming);
    const error = await t.throwsAsync(verifySnapshot(path), { code: 'ERR_KVSTORE_SNAPSHOT_DAMAGED' });
    t.regex(error?.message ?? '', new RegExp(`page ${at / 4096} claims 1 pages behind it`));
    refused += 1;
  }
  t.true(refused > 0);
});

real('an element that does not begin where the one before ends is refused', async (t) => {
  const file = await sample(t);
  const database = (await readFile(file)).subarray(0, -digestBytes);
  const { kinds } = meaningOf(database);
  const path = `${file}.apart`;
  const refused = { branches: 0, leaves: 0 };
  for (let at = 2 * 4096; at < database.length; at += 4096) {
    if (kinds[at] !== part.header || database.readUInt16LE(at + 10) < 2) continue;
    const isBranch = database.readUInt16LE(at + 8) === 1;
    // Without its last byte the first key separates as before, or is another key.
    const size = at + 16 + (isBranch ? 4 : 8);
    if (isBranch ? refused.branches > 3 : refused.leaves > 3) continue;
    const apart = Buffer.from(database);
    apart.writeUInt32LE(apart.readUInt32LE(size) - 1, size);
    await writeFile(path, apart);
    const error = await t.throwsAsync(verifySnapshot(path), { code: 'ERR_KVSTORE_SNAPSHOT_DAMAGED' });
    t.regex(
      error?.message ?? '',
      new RegExp(`page ${at / 4096}\\b.* has its element 1 outside of its place`),
    );
    refused[isBranch ? 'branches' : 'leaves'] += 1;
  }
  t.true(refused.branches > 0 && refused.leaves > 0, JSON.stringify(refused));
});

real('elements that share bytes are refused: a small page could cost any amount of memory', async (t) => {
  const file = await sample(t);
  const database = (await readFile(file)).subarray(0, -digestBytes);
  const { kinds } = meaningOf(database);
  const pages = Array.from({ length: database.length / 4096 }, (_, page) => page * 4096);
  const leaf = pages.find(
    (at) =>
      at > 4096 &&
      kinds[at] === part.header &&
      database.readUInt16LE(at + 8) === 2 &&
      database.readUInt16LE(at + 10) > 2 &&
      database.readUInt32LE(at + 16) === 0,
  );
  if (leaf === undefined) throw new TypeError('there is no leaf');
  const [first, second] = [leaf + 16, leaf + 32];
  // The second key is the first with a byte of its value: in order, and in the bytes of the first.
  database.writeUInt32LE(database.readUInt32LE(first + 4) - 16, second + 4);
  database.writeUInt32LE(database.readUInt32LE(first + 8) + 1, second + 8);
  database.writeUInt32LE(0, second + 12);
  const path = `${file}.shared`;
  await writeFile(path, database);
  const error = await t.throwsAsync(verifySnapshot(path), { code: 'ERR_KVSTORE_SNAPSHOT_DAMAGED' });
  t.regex(error?.message ?? '', new RegExp(`page ${leaf / 4096}\\b.*(?:beyond|outside|bounds|element)`));
});

real('damaged copies of all kinds are refused, and none brings the check down', async (t) => {
  const file = await sample(t);
  const addon =
    process.env['NODECORE_NATIVE'] ??
    fileURLToPath(new URL('../../../../native/build/Release/nodecore.node', import.meta.url));
  const checker = join(dirname(dirname(addon)), 'snapshot_test');
  const copies = isLong ? 20_000 : 800;
  const { code, stdout, stderr } = await command([checker, file, '11', String(copies)], {
    env: { LD_PRELOAD: '' },
  });
  t.log(stdout.trim());
  t.is(code, 0, stderr);
  t.regex(stdout, /^ok - no damaged copy is sound$/m);
});

real('what is cut off, foreign or swapped is refused with the file, the page and what to do', async (t) => {
  const file = await sample(t);
  const whole = await readFile(file);
  const directory = dirname(file);
  const refused = async (name: string, bytes: Uint8Array, code: string, message: RegExp): Promise<void> => {
    const path = join(directory, name);
    await writeFile(path, bytes);
    const error = await t.throwsAsync(verifySnapshot(path), { code, message }, name);
    t.true(error?.message.startsWith(`${path}: `), name);
  };
  for (const bytes of [whole.length - 1, whole.length - 16, 100_000, 4096 * 3, 8192, 5000]) {
    await refused(
      `cut at ${bytes}`,
      whole.subarray(0, bytes),
      'ERR_KVSTORE_SNAPSHOT_TRUNCATED',
      /ends after \d+ bytes.*copy it again/,
    );
  }
  await refused('empty', Buffer.alloc(0), 'ERR_KVSTORE_SNAPSHOT_FOREIGN', /is empty; name a file/);
  await refused('short', whole.subarray(0, 60), 'ERR_KVSTORE_SNAPSHOT_FOREIGN', /no database of etcd/);
  await refused(
    'text',
    Buffer.from('some text\n'.repeat(900)),
    'ERR_KVSTORE_SNAPSHOT_FOREIGN',
    /no database of etcd/,
  );

  const database = whole.subarray(0, -digestBytes);
  const { kinds } = meaningOf(database);
  const used = Array.from({ length: database.length / 4096 }, (_, page) => page).filter(
    (page) => page > 1 && kinds[page * 4096] === part.header,
  );
  const swapped = Buffer.from(database);
  const [first = 0, second = 0] = used;
  database.copy(swapped, first * 4096, second * 4096, (second + 1) * 4096);
  database.copy(swapped, second * 4096, first * 4096, (first + 1) * 4096);
  await refused(
    'swapped pages',
    swapped,
    'ERR_KVSTORE_SNAPSHOT_DAMAGED',
    /page \d+ says that it is page \d+; take another/,
  );
  await refused(
    'swapped pages, with the digest',
    Buffer.concat([swapped, whole.subarray(-digestBytes)]),
    'ERR_KVSTORE_SNAPSHOT_DIGEST',
    /expected [0-9a-f]{64}, page \d+ says/,
  );
  const path = join(directory, 'swapped pages');
  const error = await t.throwsAsync(verifySnapshot(path), { instanceOf: KvstoreError });
  t.true(used.includes(Number(error?.page)));

  const elsewhere = Buffer.from(database);
  const name = elsewhere.indexOf('key', first * 4096);
  const roots = Array.from(kinds.keys()).filter(
    (at) => kinds[at] === part.key && elsewhere.toString('latin1', at, at + 3) === 'key',
  );
  for (const at of [...roots, name]) if (kinds[at] === part.key) elsewhere.write('kex', at);
  await refused('of somebody else', elsewhere, 'ERR_KVSTORE_SNAPSHOT_FOREIGN', /without the keys of etcd/);

  const other = join(directory, 'twice');
  await copyFile(file, other);
  await appendFile(other, whole);
  await t.throwsAsync(verifySnapshot(other), { code: 'ERR_KVSTORE_SNAPSHOT_TRUNCATED' });
  await t.throwsAsync(verifySnapshot(directory), { code: 'ERR_KVSTORE_FILE', message: /EISDIR/ });
  await t.throwsAsync(verifySnapshot(join(directory, 'missing')), { code: 'ERR_KVSTORE_NOT_FOUND' });
  await t.throwsAsync(verifySnapshot(file, { signal: AbortSignal.abort(new Error('enough')) }), {
    message: 'enough',
  });
});
