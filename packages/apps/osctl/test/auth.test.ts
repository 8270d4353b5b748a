import { Writable } from 'node:stream';

import { methodPaths } from '@nodecore/api';
import { buildProgram, isRead, loadCommand } from '@nodecore/cli';
import type { Command } from 'commander';
import test from 'ava';

import { methodsOf, saysWhatItCalls } from '../src/auth/methods.ts';
import { osctl as definition } from '../src/osctl.ts';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

const paths = methodPaths().map((path) => path.replace('/nodecore.v1.', ''));

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

test('can-i knows what each command calls, and calls nothing that is no method', async (t) => {
  const { signal } = new AbortController();
  const program = buildProgram(definition, {
    out: nowhere(),
    error: nowhere(),
    input: process.stdin,
    env: {},
    signal,
  });
  let known = 0;
  const check = (command: Command): void => {
    for (const method of methodsOf(command)) t.true(paths.includes(method), method);
    // What takes nodes asks them something.
    if (isRead(command, 'nodes')) t.true(saysWhatItCalls(command), command.name());
    known += methodsOf(command).length;
    command.commands.forEach(check);
  };
  for (const command of program.commands) {
    await loadCommand(command);
    check(command);
  }
  t.true(known > 30, 'of most commands');
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
