import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { getPrefix, put } from '@nodecore/kvstore';
import { program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { AgentProcess } from './agent-process.ts';
import { clientOf, configure, kvstoreDocument, memberOf, type Osctl, ownAddress } from './kvstore-agent.ts';

const guide = await readFile(new URL('../../../../docs/kvstore.md', import.meta.url), 'utf8');

/** The command lines of a numbered section. */
function commandsOf(number: number): readonly string[] {
  const section = guide.split(/^## /mu).find((text) => text.startsWith(`${number}. `)) ?? '';
  return [...section.matchAll(/^\$ osctl (.+)$/gmu)].map(([, words = '']) => words);
}

/** Runs a section as it is written, on a node of the test and with its own files. */
async function follow(
  t: ExecutionContext,
  number: number,
  { osctl, agent, directory }: { osctl: Osctl; agent: AgentProcess; directory: string },
): Promise<void> {
  const commands = commandsOf(number);
  t.true(commands.length > 0, `section ${number} has commands`);
  for (const command of commands) {
    const words = command.split(' ').map((word) => {
      if (word === '10.0.0.5') return agent.endpoint;
      return word === 'kvstore.db' || word === 'backup.osconfig' ? join(directory, word) : word;
    });
    const { code, error } = await osctl(words);
    t.is(code, 0, `osctl ${command}: ${error}`);
  }
}

/** What the node, its member and a client say of each other. */
async function isWell(t: ExecutionContext, osctl: Osctl): Promise<void> {
  for (const flags of [[], ['--server=false']]) {
    const { code, out, error } = await osctl(['health', '--wait-timeout', '30s', '-o', 'json', ...flags]);
    t.is(code, 0, out + error);
    const rows = JSON.parse(out) as { readonly check: string; readonly state: string }[];
    const well = rows.filter(({ state }) => state === 'ok').map(({ check }) => check);
    for (const check of ['api', 'boot', 'ready', 'kvstore', 'memory', 'kvstore members agree'])
      t.true(well.includes(check), `${check} of ${well.join(', ')}`);
  }
}

testWith(
  root,
  program('setpriv'),
  program('etcd'),
)('the guide to backup and disaster recovery does what it says, step by step', async (t) => {
  t.timeout(120_000);
  const directory = await temporaryDirectory(t);
  const address = ownAddress();
  const first = await AgentProcess.start(t, directory);
  await configure(first, directory, kvstoreDocument(address));
  const before = { osctl: await clientOf(t, [first]), agent: first, directory };
  await follow(t, 1, before);
  await isWell(t, before.osctl);
  {
    await using member = await memberOf(t, address);
    for (let index = 0; index < 20; index += 1) await put(member, `key-${index}`, 'value');
  }
  await follow(t, 2, before);
  t.is(await first.stop(), 0);
  await rm(join(directory, 'state'), { recursive: true });

  const second = await AgentProcess.start(t, directory);
  await configure(second, directory, kvstoreDocument(address));
  const after = { osctl: await clientOf(t, [second]), agent: second, directory };
  await follow(t, 3, after);
  await using member = await memberOf(t, address);
  t.is((await getPrefix(member, 'key-')).entries.length, 20);
  await follow(t, 4, after);
});
