import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import type { ExecutionContext } from 'ava';

import { requireShape } from '../../packages/apps/osctl/test/answer-shape.ts';
import type { RigMachine } from '../src/index.ts';
import type { Authority } from './agent-node.ts';
import { commandCases } from './command-cases.ts';
import { osctlHere } from './osctl.ts';

type Row = Readonly<Record<string, unknown>>;

/** What commands say of a node: as their schemas promise, under the headers that people know, and as other programs see it there. */
export async function checkCommands(
  t: ExecutionContext,
  machine: RigMachine,
  port: number,
  ca: Authority,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'osconfig');
  const config = Osconfig.empty(path);
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:admin'] });
  config.set('node', { endpoints: [`127.0.0.1:${port}`], ca: ca.crt, crt, key });
  config.use('node');
  await writeFile(path, config.encode());
  const osctl = osctlHere(path);
  const lines = async (...argv: readonly [string, ...string[]]): Promise<readonly string[]> => {
    const { code, stdout, stderr } = await machine.run(argv);
    if (code !== 0) throw new Error(`${argv.join(' ')}: ${code}: ${stderr.toString()}`);
    return stdout.toString().trimEnd().split('\n');
  };

  // They come and go: those that are there before and after are there meanwhile.
  const [pidsBefore, targetsBefore] = [
    await lines('ps', '-eo', 'pid='),
    await lines('findmnt', '-rno', 'TARGET'),
  ];
  const wrong: string[] = [];
  const answers = new Map<string, readonly Row[]>();
  for (const [name, one] of Object.entries(commandCases)) {
    if (one === 'local' || !('args' in one)) continue;
    const { args, begins, code = 0, formatFlag = '-o' } = one;
    const said = await osctl(...args.split(' '));
    const [first = ''] = (formatFlag === false && code !== 0 ? said.stderr : said.stdout).split('\n');
    const line = typeof begins === 'string' ? first.trim().replaceAll(/ +/gu, ' ') : first;
    if (said.code !== code || (typeof begins === 'string' ? line !== begins : !begins.test(line)))
      wrong.push(`${args}: ${said.code} ${line} ${said.stderr}`);
    if (formatFlag === false) continue;
    const words = [...args.split(' '), formatFlag, 'json'];
    const answer = await osctl(...words);
    const shape = await requireShape(words, answer.stdout).then(() => '', String);
    if (answer.code !== code || answer.stdout === '' || shape !== '')
      wrong.push(`${words.join(' ')}: ${answer.code} ${answer.stderr}${shape}`);
    else if (answer.stdout.startsWith('[')) answers.set(name, JSON.parse(answer.stdout) as readonly Row[]);
  }
  t.deepEqual(wrong, []);
  const said = (name: string): readonly Row[] => answers.get(name) ?? [];

  const pidsAfter = numbersOf(await lines('ps', '-eo', 'pid='));
  const pids = new Set(said('processes').map(({ pid }) => pid));
  for (const pid of numbersOf(pidsBefore)) if (pidsAfter.has(pid)) t.true(pids.has(pid), `process ${pid}`);
  const targetsAfter = new Set(await lines('findmnt', '-rno', 'TARGET'));
  const targets = new Set(said('mounts').map(({ target }) => target));
  for (const target of targetsBefore) if (targetsAfter.has(target)) t.true(targets.has(target), target);

  const [, memory = ''] = await lines('free', '-b');
  t.is(said('memory')[0]?.['totalBytes'], Number(memory.split(/ +/u)[1]));
  const listening = (await lines('ss', '-Htln')).map((line) => Number(/:(\d+) /u.exec(line)?.[1]));
  t.deepEqual(new Set(said('netstat').map(({ localPort }) => localPort)), new Set(listening));
  t.true(listening.includes(50_000));
  t.true(said('diskfree').length > 2);
  for (const { target, sizeBytes, inodes } of said('diskfree')) {
    const [, sizes = ''] = await lines('df', '-B1', '--output=size,itotal', String(target));
    t.deepEqual([sizeBytes, inodes], sizes.trim().split(/ +/u).map(Number), String(target));
  }
  const [used = ''] = await lines('du', '-sB1', '/var/mnt/plain');
  t.is(said('usage')[0]?.['diskBytes'], Number(used.split('\t')[0]));
}

function numbersOf(words: readonly string[]): Set<number> {
  return new Set(words.map(Number));
}
