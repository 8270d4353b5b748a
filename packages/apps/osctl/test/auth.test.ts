import { Writable } from 'node:stream';

import { methodPaths } from '@nodecore/api';
import type { Command } from 'commander';
import test from 'ava';

import { needs } from '../src/auth/needs.ts';
import { commands } from '../src/commands.ts';
import { buildProgram, loadCommand } from '../src/program.ts';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

const paths = methodPaths().map((path) => path.replace('/nodecore.v1.', ''));

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

test('can-i knows what each command calls, and calls nothing that is no method', async (t) => {
  for (const methods of Object.values(needs))
    for (const method of methods) t.true(paths.includes(method), method);
  const { signal } = new AbortController();
  const program = buildProgram({
    out: nowhere(),
    error: nowhere(),
    input: process.stdin,
    env: {},
    signal,
  });
  for (const { name, hidden } of commands) {
    const command = program.commands.find((each) => each.name() === name);
    if (hidden === true || command === undefined || Object.hasOwn(needs, name)) continue;
    await loadCommand(command);
    const isCovered = (each: Command, words: string): boolean =>
      Object.hasOwn(needs, words) ||
      (each.commands.length > 0 &&
        each.commands.every((inner) => isCovered(inner, `${words} ${inner.name()}`)));
    t.true(isCovered(command, name), name);
  }
});

test('can-i says yes with 0 and no with 1, and which role would do', async (t) => {
  const { endpoint } = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [endpoint], roles: ['os:reader'] });
  const yes = await osctl(['auth', 'can-i', 'get'], { env });
  t.is(yes.code, 0);
  t.regex(yes.out, /ResourceService\/Watch +yes +os:reader, os:operator, os:admin +os:reader/);
  const no = await osctl(['auth', 'can-i', 'kvstore', 'snapshot', '-o', 'json'], { env });
  t.is(no.code, 1);
  t.deepEqual(JSON.parse(no.out), [
    {
      node: endpoint,
      method: 'KvstoreService/Snapshot',
      allowed: false,
      needs: ['os:operator', 'os:kvstore:backup', 'os:admin'],
      roles: ['os:reader'],
    },
  ]);
  t.is(no.error, 'osctl: 1 of 1 method is not allowed\n');
  t.is((await osctl(['auth', 'can-i', 'TrimService/Trim'], { env })).code, 1);
  t.is((await osctl(['auth', 'can-i', '/nodecore.v1.MachineService/Version'], { env })).code, 0);
  t.is((await osctl(['auth', 'can-i', 'g'], { env })).code, 0, 'an alias');
  t.is((await osctl(['auth', 'can-i', 'TrimService/Future'], { env })).code, 1, 'a method of a newer client');
});

test('can-i --list prints each method; what is no command and no method is refused', async (t) => {
  const { endpoint } = await startFakeNode(t);
  const env = await clientConfig(t, { endpoints: [endpoint], roles: ['os:capture'] });
  const list = await osctl(['auth', 'can-i', '--list', '-o', 'json'], { env });
  t.is(list.code, 0);
  const answers = JSON.parse(list.out) as { method: string; allowed: boolean }[];
  t.deepEqual(answers.map(({ method }) => method).toSorted(), paths.toSorted());
  t.deepEqual(
    answers.filter(({ allowed }) => allowed).map(({ method }) => method.replace(/\/.*/, '')),
    [...Array.from({ length: 6 }, () => 'CaptureService'), 'MachineService'],
  );
  for (const words of [[], ['nonsense'], ['get', '--list']])
    t.is((await osctl(['auth', 'can-i', ...words], { env })).code, 2, words.join(' '));
});
