import { ResetStep, type ResetRequestInit, type Client } from '@nodecore/api';
import type { ExecutionContext } from 'ava';

import type { Machine } from '../src/index.ts';
import { type Authority, type NodeAgent, nodeVolumes, volumesReady } from './agent-node.ts';

const stepNames = new Map(Object.entries(ResetStep).map(([name, step]) => [step, name]));

type Node = { readonly ca: Authority; readonly documents: Buffer };

/** The steps that a reset told, without repetitions. */
async function steps(client: Client, request: ResetRequestInit): Promise<readonly string[]> {
  const told: string[] = [];
  for await (const { step, name, message } of client.reset(request)) {
    const line = `${stepNames.get(step)} ${message === '' ? name : message}`.trim();
    if (told.at(-1) !== line) told.push(line);
  }
  return told;
}

/** Of the partitions of a disk, in the order of their numbers. */
async function labels(machine: Machine, disk: string): Promise<readonly string[]> {
  const { stdout } = await machine.run(['sfdisk', '--dump', machine.devices.get(disk) ?? '']);
  return [...stdout.toString().matchAll(/name="([^"]+)"/g)].map(([, label]) => label ?? '');
}

/** A node whose STATE goes has no configuration, and gets its other volumes back with the next one; then its machine reboots. */
export async function checkReset(
  t: ExecutionContext,
  machine: Machine,
  agent: NodeAgent,
  { ca, documents }: Node,
): Promise<void> {
  using admin = await agent.as('os:admin', ca);
  const before = await volumesReady(admin, nodeVolumes);
  const begun = agent.lines.length;
  const request = { graceful: true, systemLabels: ['STATE'] };
  t.deepEqual(await steps(admin, request), ['LEAVING', 'CLOSING', 'WIPING STATE', 'DONE']);
  await agent.logged('maintenance: waiting for the first configuration', /./);
  t.true(agent.lines.slice(begun).some((line) => line.includes('"action":"reset"')));
  t.deepEqual((await labels(machine, 'NODE-SYSTEM')).toSorted(), ['EPHEMERAL', 'META']);
  t.is((await machine.run(['dmsetup', 'ls'])).stdout.toString().trim(), 'No devices found');

  using stranger = agent.anybody();
  t.true((await stranger.version()).maintenance);
  t.true((await stranger.applyConfiguration({ data: documents }, { timeoutMs: 180_000 })).durable);
  using again = await agent.as('os:admin', ca);
  const after = await volumesReady(again, nodeVolumes);
  for (const id of ['EPHEMERAL', 'u-fast', 'u-plain'])
    t.is(after.get(id)?.partitionUUID, before.get(id)?.partitionUUID, `${id} was not named`);
  t.not(after.get('STATE')?.partitionUUID, before.get('STATE')?.partitionUUID);
  t.is((await machine.run(['cat', '/var/mnt/fast/file'])).stdout.toString(), 'fast\n');

  // In the rig a reboot ends the machine.
  const gone = t.throwsAsync(machine.run(['sleep', '300']));
  const all = await steps(again, { graceful: true, reboot: true });
  t.is(all.at(-1), 'DONE');
  t.true(
    ['STATE', 'EPHEMERAL'].every((label) => all.includes(`WIPING ${label}`)),
    all.join('\n'),
  );
  await gone;
}
