import { execFile } from 'node:child_process';
import { cp, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { identityOf } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { readRecord, runningNode, writeRecord } from '../src/node/record.ts';
import { checkout } from '../src/paths.ts';

test('a copy of a directory does not have the node of the original; one that was moved has its own', async (t) => {
  const parent = await temporaryDirectory(t);
  const [original, copy, moved] = ['original', 'copy', 'moved'].map((name) => join(parent, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(original);
  const supervisor = identityOf(process.pid);
  if (supervisor === undefined) throw new Error('this process is not there');
  await writeRecord({ supervisor, directory: original, port: 1, phase: 'configured' });
  await cp(original, copy, { recursive: true });
  t.is((await runningNode(original))?.directory, original);
  t.is(await runningNode(copy), undefined);
  const { stdout } = await run('stop.ts', '--state', copy);
  t.is(stdout, 'nothing runs\n'); // and this process goes on
  t.is(await readRecord(copy), undefined);
  await rename(original, moved);
  t.is((await runningNode(moved))?.directory, original);
});

for (const [command, args, message] of [
  [
    'stop.ts',
    ['--host'],
    "npm stop: Unknown option '--host'; npm stop ends every node that npm start has begun",
  ],
  ['stop.ts', ['xyz'], "npm stop: Unexpected argument 'xyz'; npm stop ends every node"],
  ['stop.ts', ['--state'], "npm stop: Option '--state <value>' argument missing; npm stop ends"],
  ['start.ts', ['--bad'], "npm start: Unknown option '--bad'\nnpm start   "],
  ['start.ts', ['xyz'], "npm start: Unexpected argument 'xyz'\nnpm start   "],
  ['start.ts', ['--port', 'none'], 'npm start: --port none\nnpm start   '],
] as const) {
  test(`npm ${command.slice(0, -3)} with ${args.join(' ')} says what it takes`, async (t) => {
    const { code, stdout, stderr } = await run(command, ...args);
    t.is(code, 1);
    t.is(stdout, '');
    t.true(stderr.startsWith(message), stderr);
    t.notRegex(stderr, /^ {4}at /m);
  });
}

type Result = { readonly code: number; readonly stdout: string; readonly stderr: string };

function run(command: string, ...args: readonly string[]): Promise<Result> {
  const program = join(checkout, 'hw-tests', 'src', 'commands', command);
  return new Promise((resolve) => {
    execFile(process.execPath, ['--conditions=source', program, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
