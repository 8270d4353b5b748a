import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import type { RunningFactory } from '../src/index.ts';
import { ask, factoryOptions, runningFactory, submit, writeRelease } from './running-factory.ts';

const metrics = { host: '127.0.0.1', port: 0 };

/** Values by name and labels, as a scraper reads them. */
async function scrape({ metricsAddress }: RunningFactory): Promise<ReadonlyMap<string, number>> {
  const { host, port } = metricsAddress!;
  const answer = await fetch(`http://${host}:${port}/metrics`);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.replace(/ [^ ]+$/, ''), Number(/[^ ]+$/.exec(line)?.[0])]));
}

test('schematics, images and requests are counted by what they are', async (t) => {
  const { directory, ...options } = await factoryOptions(t);
  await writeRelease(options.releases, 'v1.14.1', { 'os/tools': Buffer.from('hsqs') });
  const audit = { path: join(directory, 'audit.log'), maxSizeBytes: 1 << 20, maxBackups: 0, maxAgeDays: 0 };
  const running = await runningFactory(t, { ...options, metrics, audit });
  const text = 'customization: {systemExtensions: {officialExtensions: [os/tools]}}';
  const id = await submit(running, text);
  await submit(running, text);
  await ask(running, `/schematics/${id}`);
  const image = `/image/${id}/v1.14.1/initramfs-amd64.xz`;
  const size = Number((await ask(running, image, { method: 'HEAD' })).headers['content-length']);
  await ask(running, image);
  await ask(running, image, { headers: { range: 'bytes=0-99' } });
  await ask(running, image, { method: 'HEAD' });
  await ask(running, '/image/x/v1.14.1/kernel-amd64');
  const found = await scrape(running.factory);
  const labels = '{version="v1.14.1",kind="initramfs",arch="amd64"}';
  const expected: readonly (readonly [string, number])[] = [
    ['image_factory_schematic_create_total', 1],
    ['image_factory_schematic_duplicate_create_total', 1],
    [`image_factory_assets_built_total${labels}`, 1],
    [`image_factory_assets_built_bytes_total${labels}`, 0],
    [`image_factory_assets_delivered_cached_total${labels}`, 2],
    [`image_factory_assets_cached_bytes_total${labels}`, size + 100],
    ['image_factory_profile_system_extension_hits_total{extension="os/tools"}', 3],
    [`image_factory_assets_build_latency_seconds_count${labels}`, 1],
    [
      'image_factory_http_request_duration_seconds_count{method="POST",route="POST /schematics",status="201"}',
      2,
    ],
    [
      'image_factory_time_to_first_byte_seconds_count{method="GET",route="GET /image/:schematic/:version/:path"}',
      3,
    ],
    ['image_factory_audit_lost_total', 0],
  ];
  for (const [name, value] of expected) t.is(found.get(name), value, name);
  t.true(found.get('image_factory_schematic_get_total')! >= 4);
  t.true(found.get('image_factory_audit_records_total')! > 0);
});

test('no request makes a label of its own', async (t) => {
  const running = await runningFactory(t, { metrics });
  for (let index = 0; index < 5; index += 1) {
    await ask(running, `/nothing-${index}?token=eyJsecret`, { method: index % 2 === 0 ? 'GET' : 'BIND' });
    await ask(running, `/image/x${index}/v1.${index}.9/kernel-${index}`);
    await ask(running, '/versions', { headers: { 'x-request-id': `request-${index}` } });
  }
  const text = [...(await scrape(running.factory)).keys()].join('\n');
  for (const part of ['nothing-', 'eyJ', 'BIND', 'v1.', 'kernel-', 'request-'])
    t.false(text.includes(part), part);
  t.true(text.includes('method="other"'));
});

test('a request ends with its answer, and not with the connection that others go on with', async (t) => {
  const running = await runningFactory(t, { metrics });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const { host, port } = running.factory.address;
  const sockets = new Set<unknown>();
  for (const path of ['/versions', '/healthz']) {
    const sent = request({ host, port, path, agent }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    sockets.add(response.socket);
    await once(response.resume(), 'end');
  }
  t.is(sockets.size, 1);
  const found = await scrape(running.factory);
  const labels = '{method="GET",route="GET /versions",status="200"}';
  t.is(found.get(`image_factory_http_request_duration_seconds_count${labels}`), 1);
});

test('metrics are answered at their own address alone, and end with the factory', async (t) => {
  const running = await runningFactory(t, { metrics });
  t.is((await ask(running, '/metrics')).status, 404);
  const { host, port } = running.factory.metricsAddress!;
  t.is((await fetch(`http://${host}:${port}/versions`)).status, 404);
  const options = { ...running.options, storage: await temporaryDirectory(t), metrics: { host, port } };
  await t.throwsAsync(runningFactory(t, options), {
    code: 'ERR_FACTORY_SETUP',
    message: `metrics.addr: ${host}:${port}: EADDRINUSE`,
  });
  await running.factory.close();
  await t.throwsAsync(fetch(`http://${host}:${port}/metrics`));
});

test('an image whose input has changed while it was sent is recorded as broken off', async (t) => {
  const { directory, ...options } = await factoryOptions(t);
  const audit = { path: join(directory, 'audit.log'), maxSizeBytes: 1 << 20, maxBackups: 0, maxAgeDays: 0 };
  const running = await runningFactory(t, { ...options, audit });
  const id = await submit(running, '{}');
  await writeFile(join(options.releases, 'v1.14.0/amd64/base.sqsh'), 'other');
  await t.throwsAsync(ask(running, `/image/${id}/v1.14.0/initramfs-amd64.xz`));
  await running.factory.close();
  const last = JSON.parse((await readFile(audit.path, 'utf8')).trim().split('\n').at(-1)!);
  t.is(last.status, 200);
  t.regex(last.error, /^ERR_/);
});
