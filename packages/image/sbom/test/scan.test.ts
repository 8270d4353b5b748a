import test from 'ava';

import {
  cycloneDxReport,
  formatVex,
  isAffected,
  jsonReport,
  parsePurl,
  readVex,
  sarifReport,
  type Scan,
  scan,
  tableReport,
  upgradePath,
  upgrades,
  type VexDocument,
  type VexStatement,
} from '../src/index.ts';
import { components, libc, now, product, sampleDatabase } from './sample.ts';

const statement = (vulnerability: string, changes: Partial<VexStatement> = {}): VexStatement => ({
  vulnerability,
  aliases: [],
  products: [{ purl: { type: 'generic', name: 'nodeos' }, subcomponents: [] }],
  status: 'not_affected',
  justification: 'vulnerable_code_not_in_execute_path',
  ...changes,
});

const vexOf = (...statements: readonly VexStatement[]): VexDocument => ({
  id: 'https://factory.example.com/vex/v1.14.0',
  author: 'us',
  timestamp: '2026-11-22T00:00:00Z',
  version: 1,
  statements,
});

const found = ({ findings }: Scan): readonly string[] =>
  findings.map(({ component, advisory }) => `${component.name} ${advisory.id}`);

test('vulnerabilities are found by source package, suite and version, the worst first', async (t) => {
  const database = await sampleDatabase(t);
  const result = await scan(product, components, { database, vex: undefined });
  t.deepEqual(found(result), [
    '@grpc/grpc-js GHSA-aaaa-bbbb-cccc',
    'libc6 CVE-2026-0001',
    'kmod CVE-2026-0007',
    'libc6 CVE-2026-0003',
  ]);
  t.deepEqual(
    result.findings.map(({ fixes }) => fixes.join()),
    ['1.9.15,1.10.9', '2.36-9+deb12u5', '', ''],
  );
});

const of = (text: string, ...parts: readonly string[]) => ({
  products: [{ purl: parsePurl(text), subcomponents: parts.map(parsePurl) }],
});

test('what a statement says is no finding, unless it is of another product, part or version', async (t) => {
  const database = await sampleDatabase(t);
  const suppressedBy = async (...statements: readonly VexStatement[]): Promise<readonly string[]> => {
    const vex = readVex(formatVex(vexOf(...statements)));
    const { suppressed } = await scan(product, components, { database, vex });
    return suppressed.map(({ finding }) => `${finding.component.name} ${finding.advisory.id}`);
  };
  const glibc = 'libc6 CVE-2026-0001';
  t.deepEqual(await suppressedBy(statement('CVE-2026-0001')), [glibc]);
  t.deepEqual(await suppressedBy(statement('CVE-2026-1000')), ['@grpc/grpc-js GHSA-aaaa-bbbb-cccc']);
  t.deepEqual(await suppressedBy(statement('CVE-2026-0001', { status: 'fixed' })), [glibc]);
  t.deepEqual(await suppressedBy(statement('CVE-2026-0001', { status: 'under_investigation' })), []);
  t.deepEqual(await suppressedBy(statement('CVE-2026-0001', of('pkg:deb/debian/libc6'))), [glibc]);
  t.deepEqual(await suppressedBy(statement('CVE-2026-0001', of('pkg:deb/debian/libc6@2.36-9'))), []);
  t.deepEqual(await suppressedBy(statement('CVE-2026-0001', of('pkg:generic/nodeos@v1.13.0'))), []);
  t.deepEqual(
    await suppressedBy(statement('CVE-2026-0001', of('pkg:generic/nodeos', 'pkg:deb/debian/kmod'))),
    [],
  );
  t.deepEqual(
    await suppressedBy(
      statement('CVE-2026-0001', of('pkg:generic/nodeos', 'pkg:deb/debian/libc6?arch=amd64')),
    ),
    [glibc],
  );
  t.deepEqual(
    await suppressedBy(
      statement('CVE-2026-0001'),
      statement('CVE-2026-0001', { status: 'affected', action: 'wait' }),
    ),
    [],
  );
});

test('a statement without a reason is refused, and so is an unknown word', (t) => {
  const text = (changes: Partial<VexStatement>): string => formatVex(vexOf(statement('CVE-1', changes)));
  const { justification: _, ...bare } = statement('CVE-1');
  t.throws(() => readVex(formatVex(vexOf(bare))), { message: /statements\[0\]: not_affected needs/ });
  t.throws(() => readVex(text({ status: 'affected' })), { message: /affected needs an action_statement/ });
  t.throws(() => readVex(text({}).replace('"not_affected"', '"fine"')), {
    message: /statements\[0\]\.status/,
  });
  t.throws(() => readVex(text({ products: [] })), { message: /statements\[0\]\.products: must have one/ });
  t.throws(() => readVex('{"@context": "x"}'), { code: 'ERR_SBOM_INVALID', message: /@context/ });
});

test('each report has every finding, and what was suppressed with its reason', async (t) => {
  const database = await sampleDatabase(t);
  const vex = vexOf(statement('CVE-2026-0001', { impact: 'nobody calls it' }));
  const result = await scan(product, components, { database, vex });
  const json = JSON.parse(jsonReport(result, '1.14.0'));
  t.deepEqual(
    json.matches.map(
      (match: { vulnerability: { id: string; severity: string }; artifact: { purl: string } }) => [
        match.vulnerability.id,
        match.vulnerability.severity,
        match.artifact.purl,
      ],
    ),
    [
      ['GHSA-aaaa-bbbb-cccc', 'High', 'pkg:npm/%40grpc/grpc-js@1.9.0'],
      ['CVE-2026-0007', 'Low', 'pkg:deb/debian/kmod@30%2B20221128-1?arch=amd64&distro=debian-12'],
      [
        'CVE-2026-0003',
        'Negligible',
        'pkg:deb/debian/libc6@2.36-9%2Bdeb12u4%2Bb1?arch=amd64&distro=debian-12&upstream=glibc%402.36-9%2Bdeb12u4',
      ],
    ],
  );
  t.is(json.ignoredMatches[0].appliedIgnoreRules[0].reason, 'nobody calls it');
  t.is(json.descriptor.db.built, '2026-11-20T07:00:00.000Z');
  const sarif = JSON.parse(sarifReport(result, '1.14.0'));
  t.is(sarif.runs[0].results.length, 4);
  t.is(sarif.runs[0].results[3].suppressions[0].justification, 'nobody calls it');
  for (const { ruleId, ruleIndex } of sarif.runs[0].results)
    t.is(sarif.runs[0].tool.driver.rules[ruleIndex].id, ruleId);
  const cdx = JSON.parse(cycloneDxReport(result));
  t.is(cdx.vulnerabilities.length, 4);
  t.is(cdx.vulnerabilities[3].analysis.state, 'not_affected');
  t.is(cycloneDxReport(result), cycloneDxReport(result));
  t.is(
    tableReport(result, now),
    `NAME           INSTALLED          FIXED IN        TYPE  VULNERABILITY        SEVERITY
@grpc/grpc-js  1.9.0              1.9.15, 1.10.9  npm   GHSA-aaaa-bbbb-cccc  high
kmod           30+20221128-1                      deb   CVE-2026-0007        low
libc6          2.36-9+deb12u4+b1                  deb   CVE-2026-0003        negligible

nodeos v1.14.0: 1 high, 1 low, 1 negligible; 1 not affected or fixed
vulnerabilities as of 2026-11-20T07:00:00.000Z, 3 days old
`,
  );
});

test('what a package is called writes no escapes onto a terminal', async (t) => {
  const database = await sampleDatabase(t);
  const named = { ...libc, version: '2.36\u001b[2J\u009b1m\n' };
  const result = await scan(product, [named], { database, vex: undefined });
  t.regex(tableReport(result, now), /^libc6 {2}2\.36\?\[2J\?1m\? /m);
});

test('an upgrade goes by the newest patch of each minor, and is told by what it fixes and brings', async (t) => {
  t.deepEqual(
    upgradePath('v1.14.0', 'v1.16.0', [
      'v1.16.0',
      'v1.15.1',
      'v1.14.2',
      'v1.15.0',
      'v1.14.0',
      'v1.14.10',
      'v1.15.2-beta.0',
    ]),
    ['v1.14.10', 'v1.15.1', 'v1.16.0'],
  );
  t.deepEqual(upgradePath('v1.14.0', 'v1.14.1', ['v1.14.1', 'v1.14.2']), ['v1.14.1']);
  const database = await sampleDatabase(t);
  const from = await scan(product, [libc], { database, vex: undefined });
  const later = {
    ...libc,
    version: '2.36-9+deb12u5',
    purl: { ...libc.purl, qualifiers: { ...libc.purl.qualifiers, upstream: 'glibc@2.36-9+deb12u5' } },
  };
  const to = await scan(product, [later, ...components.slice(2)], { database, vex: undefined });
  t.deepEqual(upgrades('v1.14.0', from, new Map([['v1.14.1', to]])), {
    from: 'v1.14.0',
    candidates: [
      {
        version: 'v1.14.1',
        path: ['v1.14.1'],
        fixed: ['CVE-2026-0001'],
        introduced: ['GHSA-aaaa-bbbb-cccc'],
        remaining: 2,
        bySeverity: { critical: 0, high: 1, medium: 0, low: 0, negligible: 1, unknown: 0 },
      },
    ],
  });
});

const subject = (version: string) => ({ type: 'npm', suite: '', name: 'p', version });

test('a range ends before its fix, and with its last version', async (t) => {
  const advisory = {
    id: 'X',
    aliases: [],
    type: 'npm',
    suite: '',
    package: 'p',
    versions: ['9.9.9'],
    severity: 'low',
    summary: '',
    url: '',
  } as const;
  const fixed = { ...advisory, ranges: [{ introduced: '1.0.0', fixed: '1.5.0' }] };
  const last = { ...advisory, ranges: [{ introduced: '0', last: '2.0.0' }] };
  for (const version of ['1.0.0', '1.4.9', '1.5.0-rc.1', '9.9.9'])
    t.true(isAffected(fixed, subject(version)), version);
  for (const version of ['0.9.9', '1.5.0', '1.0.0-rc.1'])
    t.false(isAffected(fixed, subject(version)), version);
  t.true(isAffected(last, subject('2.0.0')));
  t.false(isAffected(last, subject('2.0.1')));
});
