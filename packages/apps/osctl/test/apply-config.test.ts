import { ApplyMode } from '@nodecore/api/machine';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

const good = `apiVersion: v1alpha1
kind: UserVolumeConfig
name: data
provisioning:
  diskSelector:
    match: disk.transport == "nvme"
  minSize: 1GiB
`;

test('a configuration goes to the node as it stands, in the mode of the flag', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const path = join(await temporaryDirectory(t), 'node.yaml');
  await writeFile(path, good);
  const { code, out, error } = await osctl(['apply-config', '-f', path, '-m', 'try', '--timeout', '1m30s'], {
    env,
  });
  t.is(error, `${node.endpoint}: warning: a warning\n`);
  t.is(out, `${node.endpoint}: Applied configuration without a reboot\n`);
  t.is(code, 0);
  t.is(Buffer.from(node.applied[0]?.data ?? []).toString(), good);
  t.like(node.applied[0], { mode: ApplyMode.TRY, tryTimeoutMillis: 90_000, dryRun: false });
  for (const [flag, mode] of [
    ['auto', ApplyMode.AUTO],
    ['no-reboot', ApplyMode.NO_REBOOT],
    ['staged', ApplyMode.STAGED],
  ] as const) {
    await osctl(['apply', '-f', '-', '-m', flag], { env, input: good });
    t.like(node.applied.at(-1), { mode, tryTimeoutMillis: 0 });
  }
});

test('a dry run prints the difference, or that there is none', async (t) => {
  const diff = '--- active\n+++ new\n@@ -1 +1 @@\n-a: 1\n+a: 2\n';
  const [changed, same] = [await startFakeNode(t, { diff }), await startFakeNode(t)];
  const env = await clientConfig(t, { endpoints: [changed.endpoint, same.endpoint] });
  const run = (nodes: string): ReturnType<typeof osctl> =>
    osctl(['apply-config', '-f', '-', '--dry-run', '-n', nodes], { env, input: good });
  t.is((await run(changed.endpoint)).out, `${changed.endpoint}: Would apply\n${diff}`);
  t.is((await run(same.endpoint)).out, `${same.endpoint}: Would apply\n${same.endpoint}: no changes\n`);
  t.true(changed.applied[0]?.dryRun);
});

test('a bad configuration is refused here, every problem with its place, and no node hears of it', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const path = join(await temporaryDirectory(t), 'node.yaml');
  await writeFile(path, good.replace('"nvme"', '"nvme').replace('minSize', 'minimumSize'));
  const { code, error } = await osctl(['apply-config', '-f', path], { env });
  t.is(code, 1);
  t.true(error.includes(`${path}:6:`), error);
  t.true(error.includes(`${path}:7:3`), error);
  t.is(node.applied.length, 0);
});

test('a reader is denied', async (t) => {
  const node = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [node.endpoint], roles: ['os:reader'] });
  const { code, error } = await osctl(['apply-config', '-f', '-'], { env, input: good });
  t.is(code, 4);
  t.is(error.split('\n').length, 2, error);
  t.is(node.applied.length, 0);
});

test('the first configuration is applied without a certificate', async (t) => {
  const node = await startFakeNode(t, { maintenance: true });
  const { code } = await osctl(['apply-config', '-i', '-n', node.endpoint, '-f', '-'], { input: good });
  t.is(code, 0);
  t.is(node.applied.length, 1);
});

test('what makes no sense is a usage error, in one line', async (t) => {
  const lines = [
    ['apply-config'],
    ['apply-config', '-f', '/nonexistent/node.yaml', '-i', '-n', 'a'],
    ['apply-config', '-f', '-', '-m', 'reboot'],
    ['apply-config', '-f', '-', '--timeout', 'soon'],
    ['apply-config', '-f', '-', '-i'],
    ['apply-config', '-f', '-', '--cert-fingerprint', 'x'],
  ];
  for (const args of lines) {
    const { code, error } = await osctl(args, { input: good });
    t.is(code, 2, args.join(' '));
    t.is(error.split('\n').length, 2, error);
  }
  t.is((await osctl(['apply-config', '-f', '-', '-i', '-n', 'a'], { input: '' })).code, 2);
});

test('what each node says can be told as JSON, of a dry run with the difference', async (t) => {
  const diff = '--- active\n+++ new\n@@ -1 +1 @@\n-a: 1\n+a: 2\n';
  const nodes = [await startFakeNode(t, { diff }), await startFakeNode(t)];
  const endpoints = nodes.map(({ endpoint }) => endpoint);
  const env = await clientConfig(t, { endpoints });
  const command = ['apply-config', '-f', '-', '-n', endpoints.join(','), '-o', 'json'];
  const { code, out } = await osctl(command, { env, input: good });
  t.is(code, 0);
  const all = JSON.parse(out) as readonly Readonly<Record<string, unknown>>[];
  t.deepEqual(
    all.map(({ node }) => node),
    endpoints,
  );
  t.like(all[0], {
    details: 'Applied configuration without a reboot',
    warnings: ['a warning'],
    diff: undefined,
  });
  const dry = await osctl([...command, '--dry-run'], { env, input: good });
  t.is((JSON.parse(dry.out) as readonly { diff: string }[])[0]?.diff, diff);
});
