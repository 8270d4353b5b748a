import { chmod, mkdir, readdir, readFile, rename, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { AuditLog, type AuditRecord } from '../../src/audit/audit-log.ts';
import type { LogFilesOptions as AuditOptions } from '../../src/audit/log-files.ts';

const record = (path: string): AuditRecord => ({
  time: '2026-11-23T15:44:19.000Z',
  request_id: 'r',
  username: 'ann',
  client_ip: '127.0.0.1',
  method: 'GET',
  path,
  status: 200,
  duration: 0.001,
  error: '',
});

const line = (path: string): string => `${JSON.stringify(record(path))}\n`;

const start = Date.parse('2026-11-23T15:44:19Z');

/** Options of a log in a directory of its own, whose clock goes on by a second each time. */
async function optionsOf(t: ExecutionContext, changes: Partial<AuditOptions> = {}): Promise<AuditOptions> {
  const directory = await temporaryDirectory(t);
  let seconds = 0;
  return {
    path: join(directory, 'audit.log'),
    maxSizeBytes: 1_000,
    maxBackups: 0,
    maxAgeDays: 0,
    now: () => new Date(start + 1_000 * seconds++),
    ...changes,
  };
}

const silent = (): void => {};

/** Writes records one after the other, each as its own write. */
async function write(log: AuditLog, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    log.write(record(path));
    await log.flush();
  }
}

/** All records of the directory, those that were put aside first. */
async function pathsIn({ path }: AuditOptions): Promise<readonly string[]> {
  const directory = join(path, '..');
  const names = (await readdir(directory)).filter((name) => name.endsWith('.log'));
  const order = names.sort(
    (a, b) => Number(a === 'audit.log') - Number(b === 'audit.log') || (a < b ? -1 : 1),
  );
  const found: string[] = [];
  for (const name of order)
    for (const text of (await readFile(join(directory, name), 'utf8')).split('\n').slice(0, -1))
      found.push((JSON.parse(text) as AuditRecord).path);
  return found;
}

const many = Array.from({ length: 40 }, (_, index) => `/versions?${index}`);

test('records are lines of JSON in a file that only its owner reads', async (t) => {
  const options = await optionsOf(t);
  await using log = await AuditLog.open(options, silent);
  await write(log, ['/a\u001b[31m\n"']);
  const text = await readFile(options.path, 'utf8');
  t.is(text.split('\n').length, 2);
  t.false(text.includes('\u001b'));
  t.deepEqual(JSON.parse(text), record('/a\u001b[31m\n"'));
  t.is((await stat(options.path)).mode & 0o777, 0o600);
  t.is(log.written, 1);
});

test('a file that is full is put aside, and no record is lost or there twice', async (t) => {
  const options = await optionsOf(t);
  await using log = await AuditLog.open(options, silent);
  await write(log, many);
  const names = await readdir(join(options.path, '..'));
  t.true(names.length > 5);
  for (const name of names) t.true((await stat(join(options.path, '..', name))).size <= 1_000, name);
  t.deepEqual(await pathsIn(options), many);
  // All at once, too.
  for (const path of many) log.write(record(path));
  await log.flush();
  t.deepEqual(await pathsIn(options), [...many, ...many]);
});

test('files that were put aside go by their number and their age, and no other file does', async (t) => {
  const options = await optionsOf(t, { maxBackups: 2 });
  const directory = join(options.path, '..');
  const others = [
    'audit-2026.log',
    'audit-2001-01-01T00-00-00.000.log.gz',
    'xaudit-2001-01-01T00-00-00.000.log',
  ];
  for (const name of others) await writeFile(join(directory, name), '');
  const log = await AuditLog.open(options, silent);
  await write(log, many);
  await log.close();
  const left = async (): Promise<readonly string[]> =>
    (await readdir(directory)).filter((name) => !others.includes(name)).sort();
  t.is((await left()).length, 3);
  t.deepEqual((await pathsIn({ ...options })).slice(-4), many.slice(-4));
  const later = { ...options, maxBackups: 0, maxAgeDays: 1, now: () => new Date(start + 2 * 86_400_000) };
  await (await AuditLog.open(later, silent)).close();
  t.deepEqual(await left(), ['audit.log']);
  for (const name of others) t.true((await readdir(directory)).includes(name), name);
});

test('a crash between any two steps of putting a file aside leaves what the next start goes on with', async (t) => {
  const options = await optionsOf(t, { maxBackups: 2 });
  const directory = join(options.path, '..');
  // Renamed, and no new file yet; the old ones not removed yet.
  for (const [hour, path] of [
    ['01', '/1'],
    ['02', '/2'],
    ['03', '/3'],
  ] as const)
    await writeFile(join(directory, `audit-2026-11-22T${hour}-00-00.000.log`), line(path));
  const log = await AuditLog.open(options, silent);
  await write(log, ['/4']);
  await log.close();
  t.deepEqual(await pathsIn(options), ['/2', '/3', '/4']);
  // In the middle of a line.
  await writeFile(options.path, `${line('/4')}{"time":"20`);
  const next = await AuditLog.open(options, silent);
  await write(next, ['/5']);
  await next.close();
  t.deepEqual((await readFile(options.path, 'utf8')).split('\n').slice(1), [
    '{"time":"20',
    line('/5').trim(),
    '',
  ]);
});

test('a name that is taken is not written over', async (t) => {
  const options = { ...(await optionsOf(t)), now: () => new Date(start) };
  const directory = join(options.path, '..');
  await using log = await AuditLog.open(options, silent);
  await write(log, many);
  t.deepEqual(await pathsIn(options), many);
  t.true((await readdir(directory)).includes('audit-2026-11-23T15-44-19.000.log'));
  t.true((await readdir(directory)).includes('audit-2026-11-23T15-44-19.001.log'));
});

test('who moves or removes the file has the next record in a new one', async (t) => {
  const options = await optionsOf(t);
  await using log = await AuditLog.open(options, silent);
  await write(log, ['/1']);
  await rename(options.path, `${options.path}.1`);
  await write(log, ['/2']);
  t.deepEqual(await pathsIn(options), ['/2']);
  await unlink(options.path);
  await write(log, ['/3']);
  t.deepEqual(await pathsIn(options), ['/3']);
});

test('a log that can not be written loses records, says so once, and tells of them when it can again', async (t) => {
  const options = await optionsOf(t, { maxSizeBytes: 100_000 });
  const lines: string[] = [];
  await using log = await AuditLog.open(options, (line) => void lines.push(line));
  await write(log, ['/1']);
  // Somebody has put a directory in its place.
  await rename(options.path, `${options.path}.1`);
  await mkdir(options.path);
  await write(log, ['/2', '/3']);
  t.is(log.lost, 2);
  t.deepEqual(lines, [`audit: ${options.path}: EISDIR: records are lost until it is better`]);
  await rename(options.path, `${options.path}.directory`);
  await write(log, ['/4', '/5']);
  t.is(log.written, 3);
  t.is(lines[1], 'audit: written again; 2 records were lost');
  const [gap, ...others] = (await readFile(options.path, 'utf8')).trim().split('\n');
  t.like(JSON.parse(gap!), { error: 'ERR_FACTORY_AUDIT_LOST', lost: 2 });
  t.is(others.length, 2);
});

test('more records than wait for a disk are lost, and counted', async (t) => {
  const options = await optionsOf(t, { maxSizeBytes: 10_000_000 });
  const lines: string[] = [];
  await using log = await AuditLog.open(options, (line) => void lines.push(line));
  for (let index = 0; index < 10_000; index += 1) log.write(record('/'));
  await log.flush();
  t.true(log.lost > 5_000);
  t.is(log.lost + log.written, 10_000);
  t.regex(lines[0]!, /the disk is too slow/);
});

test('what is no file, or a link to one, is refused at the start', async (t) => {
  const options = await optionsOf(t);
  const directory = join(options.path, '..');
  const at = (name: string): AuditOptions => ({ ...options, path: join(directory, name) });
  execFileSync('mkfifo', [join(directory, 'fifo')]);
  await mkdir(join(directory, 'directory'));
  await writeFile(join(directory, 'file'), 'theirs');
  await chmod(join(directory, 'file'), 0o644);
  await symlink('file', join(directory, 'link'));
  for (const name of ['fifo', 'directory', 'link', 'file/below'])
    await t.throwsAsync(AuditLog.open(at(name), silent), { code: 'ERR_FACTORY_SETUP' }, name);
  await t.throwsAsync(AuditLog.open({ ...options, path: '/dev/full' }, silent), {
    message: /^audit\.file\.path: \/dev\/full: is no file$/,
  });
  t.is(await readFile(join(directory, 'file'), 'utf8'), 'theirs');
});
