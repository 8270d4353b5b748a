import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

const bin = fileURLToPath(new URL('../bin/nodecore-fleet.js', import.meta.url));

function started(t: ExecutionContext, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

/** Everything that is printed, until it has what is looked for or has ended. */
async function printed(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if (pattern.test(text)) break;
  }
  return text;
}

test('the program prints the pin, has its state for itself, and ends when it is told to', async (t) => {
  const home = await temporaryDirectory(t);
  const state = join(home, 'fleet.db');
  const flags = [
    '--listen',
    '127.0.0.1:0',
    '--advertised-url',
    'https://fleet.example:8080',
    '--state',
    state,
  ];
  const fleet = started(t, 'serve', ...flags, '--initial-user', 'me@example.org');
  const text = await printed(fleet.stdout!, /fleetca=/u);
  t.regex(text, /^fleetca=sha256:[0-9a-f]{64}$/mu);
  t.regex(text, /^code for me@example\.org, good once: (?:\w{5}-){4}\w{5}$/mu);
  const lines = text.split('\n').filter((line) => line.startsWith('{'));
  t.false(lines.some((line) => /(?:\w{5}-){4}\w{5}/u.test(line))); // the log has no code
  t.is((await stat(state)).mode & 0o777, 0o600);
  t.is((await stat(`${state}.ca.key`)).mode & 0o777, 0o600);

  const second = started(t, 'serve', ...flags);
  const [refusal, [code]] = await Promise.all([
    printed(second.stderr!, /\n/u),
    once(second, 'exit') as Promise<[number]>,
  ]);
  t.is(code, 1);
  t.regex(refusal, /^nodecore-fleet: .*fleet\.db/u);

  fleet.kill('SIGTERM');
  t.deepEqual(await once(fleet, 'exit'), [0, null]);
  t.true((await readFile(`${state}.ca.crt`, 'utf8')).startsWith('-----BEGIN CERTIFICATE-----'));
});

test('a URL that nobody can come to is not advertised', async (t) => {
  const fleet = started(t, 'serve', '--listen', '0.0.0.0:0', '--state', '/nonexistent/fleet.db');
  const [text, [code]] = await Promise.all([
    printed(fleet.stderr!, /\n/u),
    once(fleet, 'exit') as Promise<[number]>,
  ]);
  t.is(code, 1);
  t.regex(text, /--advertised-url is needed/u);
});

const factoryFlags: readonly (readonly [flags: string, message: RegExp])[] = [
  ['--primary-factory-token-file token', /--primary-factory-token-file needs --primary-factory-url/u],
  [
    '--secondary-factory-url http://factory.example --secondary-factory-token-file token',
    /--secondary-factory-url: a token is not sent in plain text/u,
  ],
  ['--primary-factory-url https://me:hunter2@factory.example', /an image factory is a URL as/u],
];

for (const [flags, message] of factoryFlags)
  test(`an image factory is not set so: ${flags.replace('hunter2', '…')}`, async (t) => {
    const base = ['--listen', '127.0.0.1:1', '--state', '/nonexistent/fleet.db'];
    const fleet = started(t, 'serve', ...base, ...flags.split(' '));
    const [text, [code]] = await Promise.all([
      printed(fleet.stderr!, message),
      once(fleet, 'exit') as Promise<[number]>,
    ]);
    t.not(code, 0);
    t.regex(text, message);
    t.notRegex(text, /hunter2/u);
  });
