import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import test, { type ExecutionContext } from 'ava';

import type { FactoryOptions } from '../../src/index.ts';
import { bearer, guardedFactory, tokenOf } from '../known-callers.ts';
import { ask, defaultSchematic, type Running, runningFactory, submit } from '../running-factory.ts';
import { reportingOptions } from './reported-releases.ts';

const withTools = 'customization:\n  systemExtensions:\n    officialExtensions:\n      - os/tools\n';

/** A factory that has read its lists. */
async function reporting(t: ExecutionContext, changes: Partial<FactoryOptions> = {}): Promise<Running> {
  const running = await runningFactory(t, { ...(await reportingOptions(t)), ...changes });
  await ready(running);
  await submit(running, 'customization: {}\n');
  return running;
}

/** Lists are read behind the start; the factory says when it is ready. */
async function ready(running: Running): Promise<void> {
  while ((await ask(running, '/readyz')).status !== 200);
}

const json = async (running: Running, path: string): Promise<any> => {
  const { status, body } = await ask(running, path);
  return status === 200 ? JSON.parse(body.toString()) : { status, text: body.toString() };
};

test('the document of an image names it, and has the base and each extension with what these are made of', async (t) => {
  const running = await reporting(t);
  const id = await submit(running, withTools);
  const path = `/spdx/${id}/v1.14.1/amd64`;
  const answer = await ask(running, path);
  t.is(answer.status, 200);
  t.is(answer.headers['content-type'], 'application/spdx+json');
  const document = JSON.parse(answer.body.toString());
  t.is(document.spdxVersion, 'SPDX-2.3');
  t.is(document.name, `nodeos-${id}-v1.14.1-amd64`);
  t.is(document.documentNamespace, `http://factory.example.com${path}`);
  const names: readonly string[] = document.packages.map(({ name }: { name: string }) => name);
  t.deepEqual(names.toSorted(), [
    '@grpc/grpc-js',
    'base',
    'kmod',
    'libc6',
    'node',
    'nodeos',
    'os/tools',
    'tools',
  ]);
  const again = await ask(running, path, { headers: { 'if-none-match': String(answer.headers['etag']) } });
  t.is(again.status, 304);
  t.is((await ask(running, path, { headers: { 'if-match': '"other"' } })).status, 412);
  const head = await ask(running, path, { method: 'HEAD' });
  t.is(head.headers['content-length'], String(answer.body.length));
  t.is(head.body.length, 0);
  const plain = await json(running, `/spdx/${defaultSchematic}/v1.14.1/amd64`);
  t.false(plain.packages.some(({ name }: { name: string }) => name === 'tools'));
});

test('the same is told in CycloneDX, also by a factory that has no list of vulnerabilities', async (t) => {
  const { scanner: _, ...options } = await reportingOptions(t);
  const running = await runningFactory(t, options);
  const id = await submit(running, withTools);
  const answer = await ask(running, `/cyclonedx/${id}/v1.14.1/amd64`);
  t.is(answer.status, 200, answer.body.toString());
  t.is(answer.headers['content-type'], 'application/vnd.cyclonedx+json');
  t.regex(String(answer.headers['content-disposition']), new RegExp(`${id}-v1.14.1-amd64.cdx.json`));
  const document = JSON.parse(answer.body.toString());
  type Named = { readonly name: string };
  const spdx = await json(running, `/spdx/${id}/v1.14.1/amd64`);
  t.deepEqual(
    [document.metadata.component, ...document.components].map(({ name }: Named) => name).toSorted(),
    spdx.packages.map(({ name }: Named) => name).toSorted(),
  );
  t.false('vulnerabilities' in document);
  const again = await ask(running, `/cyclonedx/${id}/v1.14.1/amd64`);
  t.deepEqual(again.body, answer.body);
});

test('a scan has what is known of the source packages, less what the release says is none, in each format', async (t) => {
  const running = await reporting(t);
  const place = `/scans/${defaultSchematic}/v1.14.1/amd64`;
  const report = await json(running, `${place}/report.json`);
  t.deepEqual(
    report.matches.map(({ vulnerability }: { vulnerability: { id: string } }) => vulnerability.id),
    ['GHSA-aaaa-bbbb-cccc', 'CVE-2026-0001', 'CVE-2026-0007'],
  );
  t.is(report.ignoredMatches[0].vulnerability.id, 'CVE-2026-0003');
  t.is(report.descriptor.db.built, '2026-11-20T07:00:00.000Z');
  const table = await ask(running, `${place}/any.name.table`);
  t.regex(table.body.toString(), /^libc6 .* CVE-2026-0001 +high$/m);
  t.regex(table.body.toString(), /^vulnerabilities as of 2026-11-20T07:00:00.000Z, 3 days old$/m);
  t.is(
    table.headers['content-disposition'],
    `attachment; filename="${defaultSchematic}-v1.14.1-amd64-any.name.table"`,
  );
  t.is((await json(running, `${place}/r.sarif`)).version, '2.1.0');
  t.is((await json(running, `${place}/r.cdx`)).bomFormat, 'CycloneDX');
  t.is((await json(running, '/vex/v1.14.1/vex.json')).statements.length, 1);
});

test('upgrades say what each newer release fixes and brings; those that say nothing of themselves are left out', async (t) => {
  const running = await reporting(t);
  t.deepEqual(await json(running, `/scans/${defaultSchematic}/v1.14.1/amd64/upgrades.json`), {
    from: 'v1.14.1',
    candidates: [
      {
        version: 'v1.14.2',
        path: ['v1.14.2'],
        fixed: ['CVE-2026-0001', 'CVE-2026-0007', 'GHSA-aaaa-bbbb-cccc'],
        introduced: [],
        remaining: 0,
        bySeverity: { critical: 0, high: 0, medium: 0, low: 0, negligible: 0, unknown: 0 },
      },
    ],
  });
});

test('what makes no sense is an error that says what would', async (t) => {
  const running = await reporting(t);
  const wrong: readonly (readonly [path: string, status: number, text: RegExp])[] = [
    [`/scans/${defaultSchematic}/v1.14.1/amd64/report.pdf`, 400, /ends in \.json, \.table, \.sarif, \.cdx/],
    [`/scans/${defaultSchematic}/v1.14.1/amd64/report.constructor`, 400, /ends in/],
    [`/scans/${defaultSchematic}/v1.14.1/amd64/a%22b.json`, 400, /ends in/],
    [`/scans/${defaultSchematic}/v1.14.1/mips/report.json`, 400, /ERR_FACTORY_REQUEST.*amd64, arm64/],
    [`/scans/${defaultSchematic}/v1.14.1/arm64/report.json`, 404, /ERR_FACTORY_ARCHITECTURE/],
    [`/scans/${defaultSchematic}/v1.14.9/amd64/report.json`, 404, /ERR_FACTORY_VERSION_UNKNOWN/],
    [
      `/scans/${defaultSchematic}/v1.14.0/amd64/report.json`,
      400,
      /v1\.14\.0 does not say what it is made of/,
    ],
    [`/spdx/${defaultSchematic}/v1.14.0/amd64`, 400, /v1\.14\.0 does not say what it is made of/],
    ['/vex/v1.14.0/vex.json', 400, /v1\.14\.0 says nothing of vulnerabilities/],
    [`/spdx/${'0'.repeat(64)}/v1.14.1/amd64`, 404, /ERR_FACTORY_SCHEMATIC_UNKNOWN/],
  ];
  for (const [path, status, text] of wrong) {
    const answer = await ask(running, path);
    t.is(answer.status, status, path);
    t.regex(answer.body.toString(), text, path);
  }
});

test('without lists nothing is scanned, and the document is there all the same', async (t) => {
  const { scanner: _, ...options } = await reportingOptions(t);
  const running = await runningFactory(t, options);
  await submit(running, 'customization: {}\n');
  t.is((await ask(running, '/readyz')).status, 200);
  t.is((await ask(running, `/spdx/${defaultSchematic}/v1.14.1/amd64`)).status, 200);
  const answer = await ask(running, `/scans/${defaultSchematic}/v1.14.1/amd64/report.json`);
  t.is(answer.status, 503);
  t.regex(answer.body.toString(), /^ERR_FACTORY_SCAN_DATA: .*enterprise\.scanner\.databaseURL/);
});

test('until lists were read for the first time a factory is not ready, scans nothing, and can be closed', async (t) => {
  const server = createServer(() => {}); // never answers
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const asked = once(server, 'request');
  const { port } = server.address() as AddressInfo;
  const scanner = { urls: [`http://127.0.0.1:${port}/tracker.json`], updateAtMs: 0 };
  const running = await runningFactory(t, { ...(await reportingOptions(t)), scanner });
  await asked;
  await submit(running, 'customization: {}\n');
  const { status, body } = await ask(running, '/readyz');
  t.is(status, 503);
  t.regex(body.toString(), /^not ready: no list of vulnerabilities was read yet/);
  t.is((await ask(running, `/scans/${defaultSchematic}/v1.14.1/amd64/report.json`)).status, 503);
  await running.factory.close();
});

test("a report of somebody else's schematic is refused, whoever has asked for the same before", async (t) => {
  const running = await guardedFactory(t, await reportingOptions(t));
  await ready(running);
  const ann = await tokenOf(running, 'ann', ['schematic:create', 'report:read']);
  const bob = await tokenOf(running, 'bob', ['report:read']);
  const images = await tokenOf(running, 'ann', ['image:read']);
  const created = await ask(running, '/schematics', {
    method: 'POST',
    headers: bearer(ann),
    body: 'customization: {}\n',
  });
  const { id } = JSON.parse(created.body.toString());
  for (const path of [
    `/spdx/${id}/v1.14.1/amd64`,
    `/cyclonedx/${id}/v1.14.1/amd64`,
    `/scans/${id}/v1.14.1/amd64/report.json`,
    `/scans/${id}/v1.14.1/amd64/upgrades.json`,
  ]) {
    const own = await ask(running, path, { headers: bearer(ann) });
    t.is(own.status, 200, path);
    t.is(own.headers['cache-control'], 'private, no-store');
    t.is((await ask(running, path)).status, 401, path);
    const foreign = await ask(running, path, {
      headers: { ...bearer(bob), 'if-none-match': String(own.headers['etag']) },
    });
    t.is(foreign.status, 403, path);
    t.regex(foreign.body.toString(), /ERR_FACTORY_SCHEMATIC_FOREIGN/);
    const scoped = await ask(running, path, { headers: bearer(images) });
    t.is(scoped.status, 403, path);
    t.regex(scoped.body.toString(), /report:read/);
  }
  t.is((await ask(running, '/vex/v1.14.1/vex.json', { headers: bearer(bob) })).status, 200);
});
