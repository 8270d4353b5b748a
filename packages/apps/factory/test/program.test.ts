import { type ChildProcessByStdio, execFile, execFileSync, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import type { FactoryOptions } from '../src/index.ts';
import { SqliteSchematics } from '../src/schematics/sqlite-schematics.ts';
import { defaultSchematic, factoryOptions, writeRelease } from './running-factory.ts';

const program = new URL('../bin/nodecore-factory.js', import.meta.url).pathname;

function serve(
  t: ExecutionContext,
  options: FactoryOptions,
  more: readonly string[] = [],
): ChildProcessByStdio<null, Readable, Readable> {
  const { releases, releaseKeys, storage } = options;
  const flags = ['--releases', releases, '--release-key', releaseKeys[0]!, '--storage', storage];
  const child = spawn(process.execPath, [program, 'serve', '--listen', '127.0.0.1:0', ...flags, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(process.stderr, { end: false });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

async function urlOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return /at (http\S+) .*releases: v1\.14\.0-alpha\.0, v1\.14\.0$/.exec(line)?.[1] ?? '';
}

test('the program says where it answers, takes a schematic, and ends by SIGTERM', async (t) => {
  const child = serve(t, await factoryOptions(t));
  const answer = await fetch(`${await urlOf(child)}/schematics`, { method: 'POST', body: '{}' });
  t.is(answer.status, 201);
  child.kill('SIGTERM');
  t.deepEqual(await once(child, 'exit'), [0, null]);
});

test('SIGHUP has the program look for releases', async (t) => {
  const options = await factoryOptions(t);
  const child = serve(t, options);
  await urlOf(child);
  await writeRelease(options.releases, 'v1.14.1');
  const line = once(createInterface(child.stderr), 'line');
  child.kill('SIGHUP');
  t.regex(String(await line), /^loaded: v1\.14\.1: sha256:/);
});

test('a configuration says where releases and schematics are, and a flag before it', async (t) => {
  const { releases, releaseKeys, directory, storage } = await factoryOptions(t);
  const config = join(directory, 'factory.yaml');
  await writeFile(
    config,
    JSON.stringify({
      artifacts: { directory: releases },
      containerSignature: { publicKeyFile: releaseKeys[0] },
      http: { httpListenAddr: '127.0.0.1:0', externalURL: 'https://factory.example.com' },
      storage: { directory: join(directory, 'other') },
    }),
  );
  const child = spawn(process.execPath, [program, 'serve', '--config', config, '--storage', storage], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  t.regex(
    line,
    /at https:\/\/factory\.example\.com \(127\.0\.0\.1:\d+\), releases: v1\.14\.0-alpha\.0, v1\.14\.0$/,
  );
  t.true(existsSync(join(storage, 'schematics.sqlite')));
  t.false(existsSync(join(directory, 'other')));
  const secret = ['serve', '--external-url', 'https://me:secret@factory.example.com'];
  const failed = await t.throwsAsync(promisify(execFile)(process.execPath, [program, ...secret]));
  const { stderr } = failed as unknown as { stderr: string };
  t.regex(stderr, /--external-url: must be a URL/);
  t.false(stderr.includes('secret'));
});

test('what was answered with 201 is there after the program was killed', async (t) => {
  const options = await factoryOptions(t);
  const child = serve(t, options);
  const url = await urlOf(child);
  const ids: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    const body = `customization: {extraKernelArgs: [a=${index}]}`;
    ids.push(
      ((await (await fetch(`${url}/schematics`, { method: 'POST', body })).json()) as { id: string }).id,
    );
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  await using store = await SqliteSchematics.open(options.storage);
  for (const id of ids) t.true((await store.get(id))?.startsWith('customization:'));
});

test('a schematic has its ID without a factory', async (t) => {
  const { directory } = await factoryOptions(t);
  const file = join(directory, 'schematic.yaml');
  await writeFile(file, 'customization: {}\n');
  const child = spawn(process.execPath, [program, 'schematic', 'id', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  t.is(line, defaultSchematic);
});

test('a factory that asks for tokens begins with the one that the program prints', async (t) => {
  const options = await factoryOptions(t);
  const key = join(options.directory, 'token.key');
  execFileSync('openssl', ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', key]);
  const config = join(options.directory, 'factory.yaml');
  await writeFile(config, `authentication: {enabled: true, tokens: {keyPaths: [${key}]}}\n`);
  const bootstrap = ['token', 'bootstrap', '--config', config, '--subject', 'admin'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    program,
    ...bootstrap,
    '--ttl',
    '2h',
  ]);
  t.regex(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  t.regex(stderr, /^This token issues tokens for every identity until /);
  t.false(stderr.includes(stdout.trim()));
  const payload = JSON.parse(Buffer.from(stdout.split('.')[1]!, 'base64url').toString());
  t.like(payload, {
    sub: 'admin',
    scope: 'token:issue token:read token:revoke',
    stored: false,
    any_subject: true,
    exp: payload.iat + 7_200,
  });

  const child = serve(t, options, ['--config', config]);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = await urlOf(child);
  t.is((await fetch(`${url}/schematics`, { method: 'POST', body: '{}' })).status, 401);
  const issued = await fetch(`${url}/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stdout.trim()}` },
    body: '{"subject":"ann","name":"ci","scopes":["schematic:create"]}',
  });
  const { token } = (await issued.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  t.is((await fetch(`${url}/schematics`, { method: 'POST', headers, body: '{}' })).status, 201);

  // Whatever a request ends in, what the program says has no token in it.
  for (const path of ['/v2/', '/nothing', '/schematics/x', '/image/x/v1.14.0/kernel-amd64', '/tokens'])
    for (const query of [`?token=${token}`, `?token=${stdout.trim()}`])
      await (await fetch(`${url}${path}${query}`, { headers })).arrayBuffer();
  child.kill('SIGTERM');
  await once(child, 'close');
  t.regex(said, /answers at/);
  for (const part of [...token.split('.'), ...stdout.trim().split('.')]) t.false(said.includes(part));
});

const useless: readonly (readonly [config: string, ttl: string, message: RegExp])[] = [
  ['authentication: {tokens: {keyPaths: [KEY]}}', '2h', /authentication\.enabled is not true/],
  ['authentication: {enabled: true}', '2h', /keyPaths is empty/],
  [
    'authentication: {enabled: true, tokens: {keyPaths: [KEY]}}',
    '59m',
    /bootstrap tokens hold for at least 1h/,
  ],
  ['authentication: {enabled: true, tokens: {keyPaths: [PUB]}}', '2h', /must be a private one/],
  ['authentication: {enabled: true, tokens: {keyPath: KEY}}', '2h', /keyPaths is in its place/],
];

test('no token is printed that no factory would take, or that would hold too long', async (t) => {
  const directory = await temporaryDirectory(t);
  const [key, pub] = [join(directory, 'token.key'), join(directory, 'token.pub')];
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key]);
  execFileSync('openssl', ['pkey', '-in', key, '-pubout', '-out', pub]);
  const file = join(directory, 'factory.yaml');
  for (const [config, ttl, message] of useless) {
    await writeFile(file, config.replace('KEY', key).replace('PUB', pub));
    const args = [program, 'token', 'bootstrap', '--config', file, '--subject', 'admin', '--ttl', ttl];
    const failed = await t.throwsAsync(promisify(execFile)(process.execPath, args));
    const { stdout, stderr } = failed as unknown as { stdout: string; stderr: string };
    t.is(stdout, '');
    t.regex(stderr, message);
  }
});
