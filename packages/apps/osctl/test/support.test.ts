import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { definitionType, failure } from '@nodecore/api';
import { HealthState } from '@nodecore/api/inspect';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { ZipWriter } from '../src/support/zip-writer.ts';
import { clientConfig, osctl } from './command-line.ts';
import { type FakeNodeOptions, startFakeNode, status } from './fake-node.ts';

const run = promisify(execFile);

const definition = {
  displayType: 'X',
  printColumns: [],
  aliases: [],
  defaultNamespace: 'runtime',
  description: '',
};
/** Never in an archive, in whatever a node says. */
const marker = 'marker-b71c0e';
const pem = `-----BEGIN EC PRIVATE KEY-----\n${marker}\n-----END EC PRIVATE KEY-----`;

/** A node whose every answer has a secret in it. */
function node(t: ExecutionContext, options: FakeNodeOptions = {}) {
  const specs = {
    [definitionType]: {
      a: { ...definition, type: 'Things.test.nodecore.dev', sensitive: false },
      b: { ...definition, type: 'Secrets.test.nodecore.dev', sensitive: true },
    },
    'Things.test.nodecore.dev': { one: { url: `https://user:${marker}@host/`, size: 9007199254740993n } },
    'Secrets.test.nodecore.dev': { one: { key: marker } },
    'MachineConfigs.config.nodecore.dev': {
      v1alpha1: `machine:\n  ca:\n    key: ${Buffer.from(pem).toString('base64')}\n  token: ${marker}\n`,
    },
  } as unknown as NonNullable<FakeNodeOptions['specs']>;
  return startFakeNode(t, {
    specs,
    services: {
      serviceList: (_call, answer) =>
        answer(null, { services: ['etcd', '../../up', '_/_/up'].map((id) => ({ id })) }),
      logs: (call) => {
        call.write({ data: Buffer.from(`of ${call.request.id}\npassword=${marker}\n${pem}\n`) });
        call.end();
      },
    },
    processes: {
      processes: (call) => {
        call.write({ processes: [{ pid: 7, command: 'app', args: ['--pin', marker] }], complete: true });
        call.end();
      },
    },
    kernelLog: {
      dmesg: (call) => {
        call.write({ records: [{ message: `app: token: "${marker}"`, priority: 'info', facility: 'kern' }] });
        call.end();
      },
    },
    inspect: {
      health: (_call, answer) => answer(null, { checks: [{ name: 'boot', state: HealthState.OK }] }),
      controllerRuntimeDependencies: (_call, answer) => answer(null, { edges: [] }),
    },
    ...options,
  });
}

async function unpacked(t: ExecutionContext, file: string): Promise<(name: string) => Promise<string>> {
  const directory = await temporaryDirectory(t);
  await run('unzip', ['-q', file, '-d', directory]);
  return (name) => readFile(join(directory, name), 'utf8');
}

test('an archive has what a node knows, for its owner only, and unzip finds it whole', async (t) => {
  const { endpoint } = await node(t);
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const directory = await temporaryDirectory(t);
  const { code, out, error } = await osctl(['support', '-O', directory, '--json'], { env });
  t.is(code, 0, error);
  const [bundle] = JSON.parse(out) as { file: string; entries: number; errors: { source: string }[] }[];
  const { file = '', entries, errors = [] } = bundle ?? {};
  t.is((await stat(file)).mode & 0o777, 0o600);
  await run('unzip', ['-tq', file]);
  const { stdout } = await run('zipinfo', ['-1', file]);
  const names = stdout.trimEnd().split('\n');
  t.true(names.length === entries, `${entries}`);
  for (const name of [
    'version.json',
    'dmesg.log',
    'logs/etcd.log',
    'resources/things.test.nodecore.dev.yaml',
  ])
    t.true(names.includes(name), name);
  t.true(
    names.every((name) => !name.includes('..') && !name.startsWith('/')),
    stdout,
  );
  const read = await unpacked(t, file);
  t.true((await read('resources/things.test.nodecore.dev.yaml')).includes('size: 9007199254740993'));
  t.true((await read('logs/____up.log')).startsWith('of ../../up'));
  t.true((await read('logs/____up.log.2')).startsWith('of _/_/up'));
  const manifest = JSON.parse(await read('manifest.json')) as { entries: { file: string; sha256: string }[] };
  t.is(manifest.entries.length, names.length - 1);
  for (const { file: name, sha256 } of manifest.entries)
    t.is(
      createHash('sha256')
        .update(await read(name))
        .digest('hex'),
      sha256,
      name,
    );
  t.true(
    errors.some(({ source }) => source === 'cgroups.json'),
    'what this node can not answer',
  );
});

test('no secret is in it, whoever of the node has printed one', async (t) => {
  const { endpoint } = await node(t);
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const file = join(await temporaryDirectory(t), 'node.zip');
  t.is((await osctl(['support', '-O', file], { env })).code, 0);
  const { stdout } = await run('unzip', ['-p', file]);
  t.true(stdout.includes('of etcd') && stdout.includes('app: token') && stdout.includes('"pid":7'));
  t.false(stdout.includes(marker));
  t.false(stdout.includes(Buffer.from(pem).toString('base64').slice(40, 60)));
  t.true(stdout.includes('# sensitive: left out'));
});

test('who has not os:admin is not given the configuration', async (t) => {
  const { endpoint } = await node(t);
  const env = await clientConfig(t, { endpoints: [endpoint], roles: ['os:reader'] });
  const file = join(await temporaryDirectory(t), 'node.zip');
  t.is((await osctl(['support', '-O', file], { env })).code, 0);
  t.false((await run('zipinfo', ['-1', file])).stdout.includes('configuration.yaml'));
});

test('logs that are of no service are in it, too, and a node without services has the others', async (t) => {
  const services: NonNullable<FakeNodeOptions['services']> = {
    logsContainers: (_call, answer) => answer(null, { ids: ['agent', 'kernel'] }),
    serviceList: (_call, answer) => answer(failure(status.FAILED_PRECONDITION, 'another has the services')),
    logs: (call) => {
      call.write({ data: Buffer.from(`log of ${call.request.id}\n`) });
      call.end();
    },
  };
  const { endpoint } = await node(t, { services });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const file = join(await temporaryDirectory(t), 'node.zip');
  const { code, error } = await osctl(['support', '-O', file], { env });
  t.is(code, 0);
  t.true(error.includes('another has the services'));
  const read = await unpacked(t, file);
  t.is(await read('logs/agent.log'), 'log of agent\n');
  t.is(await read('logs/kernel.log'), 'log of kernel\n');
});

test('what cannot be had is listed at the end and fails nothing', async (t) => {
  const { endpoint } = await node(t, {
    kernelLog: {
      dmesg: (call) => void call.emit('error', failure(status.PERMISSION_DENIED, 'not now\u001b[2J')),
    },
  });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const file = join(await temporaryDirectory(t), 'node.zip');
  const { code, error } = await osctl(['support', '-O', file], { env });
  t.is(code, 0);
  t.regex(error, /NODE +SOURCE +ERROR\n/u);
  t.regex(error, /dmesg\.log +.*not now\?\[2J/u);
});

test('a file that is there is not touched, nor a link to nowhere followed', async (t) => {
  const { endpoint } = await node(t);
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const directory = await temporaryDirectory(t);
  const there = join(directory, 'there.zip');
  await writeFile(there, 'mine');
  const link = join(directory, 'link.zip');
  await symlink(join(directory, 'elsewhere'), link);
  for (const file of [there, link]) {
    const { code, error } = await osctl(['support', '-O', file], { env });
    t.is(code, 2);
    t.true(error.includes(`${file} exists`), error);
    await t.throwsAsync(ZipWriter.create(file), { code: 'ERR_OUTPUT' });
  }
  t.is(await readFile(there, 'utf8'), 'mine');
  await t.throwsAsync(lstat(join(directory, 'elsewhere')), { code: 'ENOENT' });
});

test('an archive that is broken off leaves no file', async (t) => {
  const end = new AbortController();
  const { endpoint } = await node(t, {
    kernelLog: { dmesg: () => end.abort() }, // and never answers
  });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const file = join(await temporaryDirectory(t), 'node.zip');
  t.is((await osctl(['support', '-O', file], { env, signal: end.signal })).code, 130);
  await t.throwsAsync(stat(file), { code: 'ENOENT' });
});

test('a node that does not answer leaves no file, and the other has its own', async (t) => {
  const { endpoint } = await node(t);
  const env = await clientConfig(t, { endpoints: [endpoint], nodes: [endpoint, '127.0.0.1:1'] });
  const directory = await temporaryDirectory(t);
  t.is((await osctl(['support', '-O', directory], { env })).code, 6);
  await stat(join(directory, `support-${endpoint.replace(':', '_')}.zip`));
  await t.throwsAsync(stat(join(directory, 'support-127.0.0.1_1.zip')), { code: 'ENOENT' });
  const { code, error } = await osctl(['support', '-O', join(directory, 'one.zip')], { env });
  t.is(code, 2);
  t.true(error.includes('name a directory'), error);
});
