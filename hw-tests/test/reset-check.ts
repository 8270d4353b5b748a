import type { Client } from '@nodecore/api';
import { ResetMode, ResetStep, type ResetRequestInit } from '@nodecore/api/storage';
import type { ExecutionContext } from 'ava';

import type { RigMachine } from '../src/index.ts';
import { type Authority, type NodeAgent, nodeVolumes, type VolumeState, volumesReady } from './agent-node.ts';
import { stopwatch } from './stopwatch.ts';

const stepNames = new Map(Object.entries(ResetStep).map(([name, step]) => [step, name]));

type Node = {
  readonly machine: RigMachine;
  readonly agent: NodeAgent;
  readonly ca: Authority;
  readonly documents: Buffer;
};
type States = ReadonlyMap<string, VolumeState>;

/** The steps that a reset told, without repetitions. */
async function steps(client: Client, request: ResetRequestInit): Promise<readonly string[]> {
  const told: string[] = [];
  for await (const { step, name, message } of client.reset(request)) {
    const line = `${stepNames.get(step)} ${message === '' ? name : message}`.trim();
    if (told.at(-1) !== line) told.push(line);
  }
  return told;
}

/** What a script prints inside, with the paths of disks. */
async function shell(machine: RigMachine, script: string, ...argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await machine.run(['sh', '-ec', script, 'sh', ...argv]);
  if (code !== 0) throw new Error(`${script}: ${code}: ${stderr.toString()}`);
  return stdout.toString().trim();
}

/** Of the partitions of a disk, in the order of their numbers. */
async function labels(machine: RigMachine, disk: string): Promise<readonly string[]> {
  const dump = await shell(machine, 'sfdisk --dump "$1"', machine.devices.get(disk) ?? '');
  return [...dump.matchAll(/name="([^"]+)"/g)].map(([, label]) => label ?? '');
}

function firstMib(machine: RigMachine, disk: string): Promise<string> {
  return shell(machine, 'head -c 1M "$1" | sha256sum', machine.devices.get(disk) ?? '');
}

function sameVolumes(
  t: ExecutionContext,
  ids: readonly string[],
  { before, after }: { readonly before: States; readonly after: States },
): void {
  for (const id of ids) {
    t.is(after.get(id)?.partitionUUID, before.get(id)?.partitionUUID, `${id} was not named`);
    t.is(after.get(id)?.uuid, before.get(id)?.uuid, `${id} was not named`);
  }
}

/**
 * EPHEMERAL alone goes; a disk of a user goes with STATE, and the node gets its other volumes back with its next configuration; that
 * disk goes alone; then all of the system goes, and the machine reboots.
 */
export async function checkReset(t: ExecutionContext, node: Node): Promise<void> {
  const took = stopwatch(t);
  await resetEphemeral(t, node);
  took('reset of EPHEMERAL');
  await resetStateAndDisk(t, node);
  took('reset of STATE and a disk');
  await resetDisk(t, node);
  took('reset of a disk');
  await resetSystem(t, node);
  took('reset of the system');
}

/** A node whose EPHEMERAL goes keeps its configuration, its keys and all other volumes, and has an empty one at once. */
async function resetEphemeral(t: ExecutionContext, { machine, agent, ca }: Node): Promise<void> {
  using admin = await agent.as('os:admin', ca);
  const before = await volumesReady(admin, nodeVolumes);
  const others = (): Promise<readonly string[]> =>
    Promise.all([
      shell(machine, 'cryptsetup luksDump "$1"', before.get('STATE')?.location ?? ''),
      shell(machine, 'sha256sum /system/state/config.yaml /system/state/config.version'),
      ...['NODE-NVME', 'NODE-SCSI'].map((disk) => firstMib(machine, disk)),
    ]);
  await shell(machine, 'echo old > /var/old');
  const kept = await others();
  const begun = agent.lines.length;
  const request = { graceful: true, systemLabels: ['EPHEMERAL'] };
  t.deepEqual(await steps(admin, request), ['LEAVING', 'CLOSING', 'WIPING EPHEMERAL', 'DONE']);
  await agent.loggedSince(begun, 'configuration is active');
  using again = await agent.as('os:admin', ca);
  const after = await volumesReady(again, nodeVolumes);
  t.not(after.get('EPHEMERAL')?.partitionUUID, before.get('EPHEMERAL')?.partitionUUID);
  t.not(after.get('EPHEMERAL')?.uuid, before.get('EPHEMERAL')?.uuid);
  t.is(await shell(machine, 'find /var -xdev -type f'), '');
  sameVolumes(t, ['STATE', 'u-fast', 'u-plain'], { before, after });
  t.deepEqual(await others(), kept);
}

/** A node whose STATE goes has no configuration; what was on the user's disk is gone to the last signature. */
async function resetStateAndDisk(
  t: ExecutionContext,
  { machine, agent, ca, documents }: Node,
): Promise<void> {
  using admin = await agent.as('os:admin', ca);
  const before = await volumesReady(admin, nodeVolumes);
  const kept = await firstMib(machine, 'NODE-NVME');
  const begun = agent.lines.length;
  const disk = machine.devices.get('NODE-SCSI') ?? '';
  const request = { graceful: true, systemLabels: ['STATE'], userDisks: [disk] };
  const wiped = ['WIPING STATE', `WIPING ${disk.replace('/dev/', '')}`];
  t.deepEqual(await steps(admin, request), ['LEAVING', 'CLOSING', ...wiped, 'DONE']);
  await agent.logged('maintenance: waiting for the first configuration', /./);
  t.true(agent.lines.slice(begun).some((line) => line.includes('"action":"reset"')));
  t.deepEqual((await labels(machine, 'NODE-SYSTEM')).toSorted(), ['EPHEMERAL', 'META']);
  t.is(await shell(machine, 'dmsetup ls'), 'No devices found');
  t.is(await shell(machine, 'blkid -p "$1" || echo $?', disk), '2', 'nothing on it is recognised');
  t.is(await shell(machine, 'wipefs --no-act "$1"', disk), '');
  t.is(await firstMib(machine, 'NODE-NVME'), kept);

  using stranger = agent.anybody();
  t.true((await stranger.version()).maintenance);
  t.true((await stranger.applyConfiguration({ data: documents }, { timeoutMs: 180_000 })).durable);
  using again = await agent.as('os:admin', ca);
  const after = await volumesReady(again, nodeVolumes);
  sameVolumes(t, ['EPHEMERAL', 'u-fast'], { before, after });
  for (const id of ['STATE', 'u-plain'])
    t.not(after.get(id)?.partitionUUID, before.get(id)?.partitionUUID, `${id} is another one`);
  t.is(await shell(machine, 'cat /var/mnt/fast/file; ls /var/mnt/plain'), 'fast\nlost+found');
}

/** A node that loses a disk of a user is what it was, with an empty volume in its place. */
async function resetDisk(t: ExecutionContext, { machine, agent, ca }: Node): Promise<void> {
  using admin = await agent.as('os:admin', ca);
  const before = await volumesReady(admin, nodeVolumes);
  await shell(machine, 'echo old > /var/mnt/plain/old; echo kept > /var/kept');
  const disk = machine.devices.get('NODE-SCSI') ?? '';
  const begun = agent.lines.length;
  const request = { graceful: true, mode: ResetMode.USER_DISKS, userDisks: [disk] };
  const wiped = `WIPING ${disk.replace('/dev/', '')}`;
  t.deepEqual(await steps(admin, request), ['LEAVING', 'CLOSING', wiped, 'DONE']);
  await agent.loggedSince(begun, 'configuration is active');
  using again = await agent.as('os:admin', ca);
  const after = await volumesReady(again, nodeVolumes);
  sameVolumes(t, ['STATE', 'EPHEMERAL', 'u-fast'], { before, after });
  t.not(after.get('u-plain')?.uuid, before.get('u-plain')?.uuid);
  t.is(await shell(machine, 'cat /var/kept /var/mnt/fast/file; ls /var/mnt/plain'), 'kept\nfast\nlost+found');
}

/** All that the system has on its disk. In the rig a reboot ends the machine. */
async function resetSystem(t: ExecutionContext, { machine, agent, ca }: Node): Promise<void> {
  using admin = await agent.as('os:admin', ca);
  const gone = t.throwsAsync(machine.run(['sleep', '300']));
  const request = { graceful: true, reboot: true, mode: ResetMode.SYSTEM_DISK };
  const all = await steps(admin, request);
  t.is(all.at(-1), 'DONE');
  t.true(
    ['STATE', 'EPHEMERAL'].every((label) => all.includes(`WIPING ${label}`)),
    all.join('\n'),
  );
  t.false(
    all.some((step) => step.startsWith('WIPING sd') || step.startsWith('WIPING nvme')),
    all.join('\n'),
  );
  await gone;
}
