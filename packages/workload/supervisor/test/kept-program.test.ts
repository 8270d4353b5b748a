import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { keeperProgram } from '../src/keeper-program.ts';
import { greeting } from '../src/keeper-socket.ts';
import { KeptProgram } from '../src/kept-program.ts';

/** Listens as a keeper does, and takes no connection: it stands still as soon as it listens. */
const still = `require('node:net').createServer().listen(process.argv[1], () => {
  process.stdout.write('listens', () => process.kill(process.pid, 'SIGSTOP'));
});`;

test('a keeper that ends before it has taken a connection is one that has ended', async (t) => {
  const directory = await temporaryDirectory(t);
  const keeper = spawn(process.execPath, ['--eval', still, join(directory, 'socket')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => keeper.kill('SIGKILL'));
  await once(keeper.stdout, 'data');
  const socket = connect(join(directory, 'socket')).on('error', () => {});
  await once(socket, 'connect');
  const said = greeting(socket);
  const found = KeptProgram.find(directory);
  keeper.kill('SIGKILL');
  t.is(await said, '');
  t.is(await found, undefined);
});

test('who hears that a program has ended may start it again at once', async (t) => {
  const directory = await temporaryDirectory(t);
  const environment = { PATH: process.env['PATH'] };
  const options = { argv: ['true'], environment, hash: '0', tethered: true } as const;
  // What a keeper gives back later is missed by some of these where processes wait for processors.
  for (let round = 0; round < 100; round += 1) {
    const program = await KeptProgram.start(keeperProgram(), directory, options);
    t.deepEqual(await program.ended, { code: 0 });
  }
});
