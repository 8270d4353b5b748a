import { appendFile, type FileHandle, mkdir, open, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { ApplyMode } from '@nodecore/api/machine';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { pino } from 'pino';

import { machineConfigs } from '../src/configuration/definitions.ts';
import { disks } from '../src/discovery/definitions.ts';
import { resourceDefinitions } from '../src/resources/definitions.ts';
import { AuditTrail } from '../src/server/audit-trail.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';

const log = pino({ level: 'silent' });

async function records(directory: string, name = 'audit.jsonl'): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(directory, name), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('files of the audit have a size and a number, and the newest records stay', async (t) => {
  const directory = join(await temporaryDirectory(t), 'audit');
  const trail = new AuditTrail({ log, locate: async () => directory, maxBytes: 500, keep: 2 });
  for (let each = 0; each < 50; each += 1) {
    trail.write({ action: 'trim', each }, false);
    await trail.flush();
  }
  t.deepEqual((await readdir(directory)).toSorted(), ['audit.1.jsonl', 'audit.2.jsonl', 'audit.jsonl']);
  const kept: unknown[] = [];
  for (const name of ['audit.2.jsonl', 'audit.1.jsonl', 'audit.jsonl']) {
    const file = await stat(join(directory, name));
    t.true(file.size <= 500);
    t.is(file.mode & 0o777, 0o600);
    kept.push(...(await records(directory, name)).map(({ each }) => each));
  }
  t.deepEqual(
    kept,
    Array.from({ length: kept.length }, (_, index) => 50 - kept.length + index),
  );
  t.true(kept.length > 10);
});

test('a rotation that was cut short loses nothing, and neither does a line that was', async (t) => {
  const directory = await temporaryDirectory(t);
  const trail = new AuditTrail({ log, locate: async () => directory, maxBytes: 200, keep: 3 });
  // As after a crash between the second and the third rename, in the middle of a line.
  await appendFile(join(directory, 'audit.2.jsonl'), '{"each":0}\n');
  await appendFile(join(directory, 'audit.jsonl'), '{"each":1}\n{"ea');
  for (let each = 2; each < 6; each += 1) trail.write({ each }, false);
  await trail.flush();
  const names = (await readdir(directory)).toSorted();
  const all = await Promise.all(names.map((name) => records(directory, name)));
  t.deepEqual(new Set(all.flat().map(({ each }) => each)), new Set([0, 1, 2, 3, 4, 5]));
});

test('what comes before there is a state is written when there is one, up to a bound', async (t) => {
  const directory = await temporaryDirectory(t);
  let isReady = false;
  const locate = async (): Promise<string> => {
    if (!isReady) throw new Error('STATE is not mounted');
    return directory;
  };
  const trail = new AuditTrail({ log, locate });
  for (let each = 0; each < 1_500; each += 1) trail.write({ each }, false);
  await trail.flush();
  isReady = true;
  await trail.flush();
  const written = await records(directory);
  t.is(written.length, 1_001);
  t.like(written.at(-1), { action: 'lost', count: 500 });
});

test.serial(
  'a record that a failing disk took only in part is there once when the disk takes it',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const trail = new AuditTrail({ log, locate: async () => directory });
    trail.write({ each: 0 }, false);
    await trail.flush();
    const handle = await open(join(directory, 'audit.jsonl'));
    const all = Object.getPrototypeOf(handle) as Pick<FileHandle, 'datasync'>;
    await handle.close();
    const { datasync } = all;
    t.teardown(() => (all.datasync = datasync));
    all.datasync = () => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
    trail.write({ each: 1 }, false);
    await trail.flush();
    t.deepEqual(
      (await records(directory)).map(({ each }) => each),
      [0],
    );
    all.datasync = datasync;
    trail.write({ each: 2 }, false);
    await trail.flush();
    t.deepEqual(
      (await records(directory)).map(({ each }) => each),
      [0, 1, 2],
    );
  },
);

test('callers whom nobody knows do not push out the others', async (t) => {
  const directory = await temporaryDirectory(t);
  let nowMs = 1e12;
  const trail = new AuditTrail({ log, locate: async () => directory, now: () => nowMs });
  for (let each = 0; each < 1_000; each += 1) trail.write({ each }, true);
  trail.write({ each: 'known' }, false);
  nowMs += 60_000;
  trail.write({ each: 'later' }, true);
  await trail.flush();
  const written = await records(directory);
  t.is(written.length, 30 + 3);
  t.like(written.at(-2), { action: 'suppressed', count: 970 });
});

test('the audit follows no link', async (t) => {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, 'audit'));
  await symlink('/dev/null', join(directory, 'audit', 'audit.jsonl'));
  const lines: string[] = [];
  const trail = new AuditTrail({
    log: pino({}, { write: (line: string) => lines.push(line) }),
    locate: async () => join(directory, 'audit'),
  });
  trail.write({ action: 'trim' }, false);
  await trail.flush();
  t.regex(lines.join(''), /"code":"ELOOP".*the audit is not written/);
});

test('the audit knows who it was by certificate; in maintenance it was anonymous, and nobody has a role', async (t) => {
  const { insecure, as, audit, directory, lines } = await apiNode(t);
  const configuration = { data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO };
  await insecure().applyConfiguration(configuration);
  const reader = await as(['os:reader']);
  for (let each = 0; each < 3; each += 1)
    await t.throwsAsync(reader.applyConfiguration(configuration), { code: 'ERR_API_DENIED' });
  await (await as(['os:admin'])).applyConfiguration({ ...configuration, dryRun: true });
  await audit.flush();
  const written = await records(join(directory, 'audit'));
  t.deepEqual(
    written.map(({ action, outcome, roles }) => [action, outcome, roles]),
    [
      ['apply-configuration', 'begun', []],
      ['apply-configuration', 'done', []],
      ['call', 'denied', ['os:reader']], // the others are counted
      ['apply-configuration', 'begun', ['os:admin']],
      ['apply-configuration', 'done', ['os:admin']],
    ],
  );
  const ids = written.map(({ requestId }) => requestId);
  t.deepEqual([ids[0], ids[3]], [ids[1], ids[4]], 'what is begun and what is done are one call');
  t.is(new Set(ids).size, 3);
  const calls = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const id of [ids[0], ids[2], ids[3]])
    t.true(calls.some(({ msg, requestId }) => msg === 'call' && requestId === id));
  t.is(written[0]?.['name'], 'anonymous');
  t.is(written[0]?.['serial'], undefined);
  t.regex(String(written[2]?.['method']), /ApplyConfiguration$/);
  for (const { serial, fingerprint, peer, time } of written.slice(2)) {
    t.regex(String(serial), /^[0-9A-F]+$/);
    t.regex(String(fingerprint), /^[0-9a-f]{64}$/);
    t.regex(String(peer), /^127\.0\.0\.1:\d+$/);
    t.regex(String(time), /^\d{4}-\d\d-\d\dT/);
  }
  t.false(lines.some((line) => line.includes('anonymous') && line.includes('os:reader')));
});

test('who reads what may hold secrets is in the audit, by get, list and watch; what anybody may read is not', async (t) => {
  const { insecure, as, audit, directory } = await apiNode(t);
  const configuration = { data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO };
  await insecure().applyConfiguration(configuration);
  const admin = await as(['os:admin']);
  const { type } = machineConfigs;
  await admin.get({ type, id: 'v1alpha1' });
  await t.throwsAsync(admin.get({ type, id: 'other' }), { code: 'ERR_API_NOT_FOUND' });
  for await (const _ of admin.list({ type }));
  for await (const { events } of admin.watch({ type, id: 'v1alpha1' })) if (events.length > 0) break;
  await admin.get({ type: resourceDefinitions.type, id: disks.type.toLowerCase() });
  for await (const _ of admin.list({ type: disks.type }));
  // The node hears of the end of a watch after its caller.
  let reads: Record<string, unknown>[] = [];
  while (reads.length < 8) {
    await audit.flush();
    reads = (await records(join(directory, 'audit'))).filter(({ action }) => action === 'read-sensitive');
  }
  t.true(reads.every((each) => each['type'] === type));
  t.deepEqual(
    reads.map(({ id, outcome }) => [id, outcome]),
    [
      ['v1alpha1', 'begun'],
      ['v1alpha1', 'done'],
      ['other', 'begun'],
      ['other', 'failed'],
      [undefined, 'begun'],
      [undefined, 'done'],
      ['v1alpha1', 'begun'],
      ['v1alpha1', 'done'],
    ],
  );
  t.false(JSON.stringify(reads).includes('machine:'), 'what was read is not in it');
});

test('what a method denies is in the audit, with the certificate of who called', async (t) => {
  const { insecure, as, audit, directory } = await apiNode(t);
  await insecure().applyConfiguration({ data: Buffer.from(rootDocument(ca)), mode: ApplyMode.AUTO });
  const reader = await as(['os:reader']);
  await t.throwsAsync(reader.get({ type: machineConfigs.type, id: 'v1alpha1' }), { code: 'ERR_API_DENIED' });
  await audit.flush();
  const denied = (await records(join(directory, 'audit'))).filter(({ outcome }) => outcome === 'denied');
  t.is(denied.length, 1);
  t.like(denied[0], { action: 'call', roles: ['os:reader'] });
  t.regex(String(denied[0]?.['serial']), /^[0-9A-F]+$/);
});
