import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';
import type { Command } from 'commander';

import { errors } from '../src/schema/all.ts';
import { fileOf } from '../src/schema/answer.ts';
import { publishedSchemas } from './answer-shape.ts';
import { osctl } from './command-line.ts';
import { plannedCluster } from './planned-cluster.ts';
import { everyCommand, wholeProgram } from './whole-program.ts';

/** Commands without JSON, each with what stands against it. */
const withoutJson: Readonly<Record<string, string>> = {
  'machineconfig patch': 'its answer is a document of a language of its own, which programs read',
  dashboard: 'draws on a terminal; the commands that it names where there is none have JSON',
  debug: 'gives the terminal to a program on the node',
  'inject serviceaccount': 'its answer is manifests, which programs read',
  'config context': 'changes the client config and says nothing; config contexts shows it',
  'config endpoint': 'changes the client config and says nothing; config contexts shows it',
  'config node': 'changes the client config and says nothing; config contexts shows it',
  'config add': 'changes the client config and says nothing; config contexts shows it',
  'config proxy-url': 'changes the client config and says nothing; config info shows it',
  'config rename': 'changes the client config and says nothing; config contexts shows it',
  'cluster doors': 'serves until it is ended, and its answers are those of what is behind the doors',
  'image cache-serve': 'serves until it is ended, and its answers are those of a registry',
  'remote-provision-launch': 'serves until it is ended, and says where and to whom first',
  copy: 'its answer is files, as an archive or in a directory',
  read: 'its answer is the bytes of a file',
  completion: 'prints a program of a shell',
  __complete: 'answers such a program',
};

function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
}

/** Whether a command says in its help that it takes `-o json`, or `--json` where `-o` names a file. */
function hasJson({ options }: Command): boolean {
  const output = options.find(({ long, flags }) => long === '--output' && flags.endsWith('<format>'));
  if (output === undefined) return options.some(({ long }) => long === '--json');
  return output.argChoices?.includes('json') ?? output.description.includes('json');
}

async function leaves(): Promise<readonly Command[]> {
  return everyCommand(await wholeProgram()).filter(
    (command) => command.parent !== null && command.commands.length === 0,
  );
}

test('every command that has JSON has a published schema, and no other', async (t) => {
  const names = (await leaves()).filter(hasJson).map((command) => fileOf(pathOf(command)));
  t.deepEqual([...names, fileOf(errors)].toSorted(), await publishedSchemas());
});

test('every command that answers has JSON, but for those that are listed with a reason', async (t) => {
  const commands = await leaves();
  t.true(commands.length > 50);
  const without = commands.filter((command) => !hasJson(command)).map(pathOf);
  t.deepEqual(without.toSorted(), Object.keys(withoutJson).toSorted());
});

test('a format that is none is refused before anything is made or asked', async (t) => {
  const file = join(await temporaryDirectory(t), 'file');
  await writeFile(file, '');
  for (const line of [
    'reboot -n 127.0.0.1:1',
    'shutdown -n 127.0.0.1:1',
    'rollback -n 127.0.0.1:1',
    'upgrade -i a/b:c -n 127.0.0.1:1',
    'install --image a/b:c --disk /dev/vda -n 127.0.0.1:1',
    'meta write 12 x -n 127.0.0.1:1',
    'meta delete 12 -n 127.0.0.1:1',
    'edit mc -n 127.0.0.1:1',
    'inspect dependencies -n 127.0.0.1:1',
    'volume recovery-key u-data -y -n 127.0.0.1:1',
    `volume header-restore u-data ${file} -y -n 127.0.0.1:1`,
    `gen key --name ${file}`,
    `config merge ${file}`,
    'config remove x',
    'cluster start',
    'cluster stop',
    'cluster reboot',
    'cluster chaos --off',
    'cluster show -w',
    'cluster logs',
    'cluster destroy',
  ]) {
    const { code, out, error } = await osctl([...line.split(' '), '-o', 'xml']);
    t.is(code, 2, line);
    t.is(out, '', line);
    t.true(error.includes('output format "xml" is none of'), `${line}: ${error}`);
  }
});

test('the consoles of a cluster are objects, a line each', async (t) => {
  const { state, first } = await plannedCluster(t, 'begins\r\n"quoted"\nno end');
  const args = ['cluster', 'logs', '--state', state, '--name', 'example'];
  const { out, error } = await osctl([...args, '-o', 'json']);
  const lines = ['begins', '"quoted"', 'no end'].map((line) => JSON.stringify({ machine: first.name, line }));
  t.is(out, `${lines.join('\n')}\n`, error);
  t.is((await osctl([...args, first.name])).out, 'begins\n"quoted"\nno end\n');
});
