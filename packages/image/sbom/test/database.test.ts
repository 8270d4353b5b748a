import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import {
  type AdvisoryList,
  buildDatabase,
  cvssScore,
  SbomError,
  VulnerabilityDatabase,
} from '../src/index.ts';
import { lists, made, now, osv, sampleDatabase, tracker } from './sample.ts';

test('a database says how old its oldest list is, and what it knows of a source in its suite', async (t) => {
  const database = await sampleDatabase(t);
  t.deepEqual(database.facts.built, made);
  const ids = database.of({ type: 'deb', suite: 'bookworm', name: 'glibc' }).map(({ id }) => id);
  t.deepEqual(ids.toSorted(), ['CVE-2026-0001', 'CVE-2026-0002', 'CVE-2026-0003']);
  t.deepEqual(database.of({ type: 'deb', suite: 'trixie', name: 'glibc' }), []);
  const [grpc, ...others] = database.of({ type: 'npm', suite: '', name: '@grpc/grpc-js' });
  t.is(others.length, 0);
  t.is(grpc?.severity, 'high');
  t.is(grpc?.score, 7.5);
  t.deepEqual(grpc?.ranges, [
    { introduced: '1.9.0', fixed: '1.9.15' },
    { introduced: '1.10.0', fixed: '1.10.9' },
  ]);
});

test('lists that are not to be believed leave the former database as it was', async (t) => {
  const path = join(await temporaryDirectory(t), 'vulnerabilities.db');
  const former = buildDatabase(path, lists, { now });
  const text = JSON.stringify(tracker);
  const many = Object.fromEntries(
    Array.from({ length: 61 }, (_, index) => [
      `p${index}`,
      { 'CVE-2026-2000': tracker.libc6['CVE-2026-0006'] },
    ]),
  );
  const far = new Date(now.getTime() + 25 * 3_600_000);
  const wrong: readonly (readonly [why: RegExp, list: Partial<AdvisoryList>])[] = [
    [/no JSON, or not all of it/, { text: text.slice(0, -20) }],
    [/is of the future/, { made: far }],
    [/is of the future/, { text: JSON.stringify([{ ...osv[0], modified: far.toISOString() }]) }],
    [
      /tracker\.glibc\.CVE-1\.releases\.bookworm\.status: must be one of/,
      { text: JSON.stringify({ glibc: { 'CVE-1': { releases: { bookworm: { status: 'fine' } } } } }) },
    ],
    [/must be an object/, { text: '{"glibc": []}' }],
    [/no vulnerability/, { text: '{}' }],
    [/have \d+ characters, and had/, { text: `${' '.repeat(text.length * 30)}${text}` }],
    [/have 61 vulnerabilities, and had 6/, { text: JSON.stringify(many) }],
  ];
  for (const [why, list] of wrong) {
    const error = t.throws(
      () => buildDatabase(path, [{ name: 'tracker', text, made, ...list }], { now, former }),
      {
        instanceOf: SbomError,
      },
    );
    t.regex(error?.message ?? '', why);
    using kept = VulnerabilityDatabase.open(path);
    t.deepEqual(kept.facts, former);
    t.deepEqual(await readdir(dirname(path)), ['vulnerabilities.db']);
  }
});

test('what a build that was cut off has left is no hindrance to the next one', async (t) => {
  const path = join(await temporaryDirectory(t), 'vulnerabilities.db');
  const former = buildDatabase(path, lists, { now });
  await writeFile(`${path}.part`, 'half of a database');
  t.deepEqual(buildDatabase(path, lists, { now, former }), former);
  t.deepEqual(await readdir(dirname(path)), ['vulnerabilities.db']);
});

test('a file that is no database is an error that names it', async (t) => {
  const path = join(await temporaryDirectory(t), 'vulnerabilities.db');
  await writeFile(path, 'x'.repeat(8192));
  t.throws(() => VulnerabilityDatabase.open(path), {
    code: 'ERR_SBOM_DATABASE',
    message: /vulnerabilities\.db/,
  });
  t.throws(() => VulnerabilityDatabase.open(`${path}.not`), { code: 'ERR_SBOM_DATABASE' });
});

test('vectors of CVSS 3 have the scores that NVD gives them, and no other vector has one', (t) => {
  const known: readonly (readonly [vector: string, score: number | undefined])[] = [
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10], // CVE-2021-44228
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5], // CVE-2014-0160
    ['CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 7.8], // CVE-2021-4034
    ['CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1], // cross-site scripting
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', undefined],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H', undefined],
  ];
  for (const [vector, score] of known) t.is(cvssScore(vector), score, vector);
});
