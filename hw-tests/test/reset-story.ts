import { randomUUID } from 'node:crypto';
import { copyFile, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Client } from '@nodecore/api';
import { partitions } from '@nodecore/block';
import { diskImage } from '@nodecore/image';
import { consoleSays, Machine, type MachineSpec } from '@nodecore/machine';
import { metaTag, readMeta } from '@nodecore/meta';
import { temporaryDirectory } from '@nodecore/testkit';
import { systemClock } from '@nodecore/waiting';
import type { ExecutionContext } from 'ava';

import { CrashImages, crashStates, WriteRecord } from '../src/log-writes/index.ts';
import { administrator, nodeSecrets } from '../src/node/credentials.ts';
import { waitForVolumes } from '../src/node/volumes.ts';
import { directBoot, nodeImage } from '../src/node-image.ts';
import { RecordFollower } from '../src/power-cut/record-follower.ts';
import { freePort } from './agent-node.ts';
import { chosenStates } from './chosen-states.ts';
import { osctlHere } from './osctl.ts';

const diskBytes = 4 * 1024 ** 3;
/** What the reset is told to wipe. */
const labels = ['STATE', 'EPHEMERAL'] as const;
const name = 'virtual-node';
const bootMs = 500_000;

/** A node that was told to wipe its STATE and its EPHEMERAL, and did. */
export type ResetNode = {
  readonly directory: string;
  readonly spec: MachineSpec;
  /** The disk before the machine was switched on, and what was written to it since. */
  readonly base: string;
  readonly record: string;
  /** Place in the record at which the reset was asked for. */
  readonly from: number;
  /** UUIDs of the filesystems that it had then, by label. */
  readonly filesystems: ReadonlyMap<string, string>;
};

/** What a disk has of the reset. */
export type DiskAfterReset = {
  /** META says that there is something left to wipe. */
  readonly isPromised: boolean;
  /** What was to be wiped and is there, with the filesystem that it had. */
  readonly kept: readonly string[];
};

/** How a node came back. */
export type Return = DiskAfterReset & { readonly as: 'maintenance' | 'configured' };

/** A node on a blank disk gets its configuration, and is reset, with every write recorded. */
export async function resetNode(t: ExecutionContext): Promise<ResetNode> {
  const directory = await temporaryDirectory(t);
  const [port, image] = [await freePort(), await nodeImage({})];
  const [disk, base, record] = ['node.raw', 'base.raw', 'record'].map((file) => join(directory, file)) as [
    string,
    string,
    string,
  ];
  const esp = { systemdBoot: image.stub, entries: [] };
  await diskImage({ recipe: 'reset', esp, sizeBytes: diskBytes }).writeTo(disk);
  await copyFile(disk, base);
  await writeFile(record, '');
  const system = { driver: 'virtio', sizeBytes: diskBytes, serial: 'SYSTEM' } as const;
  const spec: MachineSpec = {
    name: 'reset-cuts',
    uuid: randomUUID(),
    firmware: 'bios',
    tpm: 'none',
    memoryMib: 1024,
    cpus: 1,
    durability: 'none',
    disks: [system],
    boot: await directBoot(directory, image),
    nics: [{ backend: { kind: 'user', restricted: false, forwards: [{ host: port, guest: 50_000 }] } }],
  };
  await using machine = await Machine.open(
    { ...spec, disks: [{ ...system, file: disk, record }] },
    { directory },
  );
  await machine.powerOn();
  await consoleSays(directory, 'nodecore: maintenance', AbortSignal.timeout(bootMs));
  const secrets = await nodeSecrets(name, directory, port);
  await configure(machine, { directory, port, secrets });
  await consoleSays(directory, 'nodecore: configuration is active', AbortSignal.timeout(bootMs));
  await using client = await administrator(name, secrets, port);
  await waitForVolumes(client, labels, () => {}, AbortSignal.timeout(bootMs));
  const asked = await resetRecorded(t, { machine, client, disk, record });
  return { directory, spec, base, record, ...asked };
}

/** Has a node wipe its STATE and its EPHEMERAL, while what it writes is recorded. */
export async function resetRecorded(
  t: ExecutionContext,
  {
    machine,
    client,
    disk,
    record,
  }: {
    readonly machine: Machine;
    readonly client: Pick<Client, 'reset'>;
    readonly disk: string;
    readonly record: string;
  },
): Promise<Pick<ResetNode, 'from' | 'filesystems'>> {
  const filesystems = await filesystemsOf(disk);
  await using follower = await RecordFollower.open(record, diskBytes);
  const from = (await follower.read()).length;
  const request = { graceful: false, reboot: true, systemLabels: [...labels] };
  for await (const { message } of client.reset(request)) if (message !== '') t.log(message);
  await machine.stopped();
  t.is(machine.reason, 'guest-reset');
  return { from, filesystems };
}

type Place = {
  readonly directory: string;
  readonly port: number;
  readonly secrets: { readonly controlplane: string; readonly osconfig: string };
};

async function configure(machine: Machine, { directory, port, secrets }: Place): Promise<void> {
  const file = join(directory, 'node.yaml');
  const volume = 'name: EPHEMERAL\nprovisioning: {minSize: 512MiB, maxSize: 512MiB}\n';
  const document = `---\napiVersion: v1alpha1\nkind: VolumeConfig\n${volume}`;
  const root = (await readFile(secrets.controlplane, 'utf8')).trimEnd();
  await writeFile(file, `${root}\n${document}`, { mode: 0o600 });
  const osctl = osctlHere(secrets.osconfig);
  for (;;) {
    const { code, stderr } = await osctl('-n', `127.0.0.1:${port}`, 'apply-config', '--insecure', '-f', file);
    if (code === 0) return;
    if (machine.state !== 'running' || !/ECONN|reach|UNAVAILABLE/i.test(stderr)) throw new Error(stderr);
    await systemClock.sleep(500); // no address yet
  }
}

/**
 * The disk as power cuts would have left it, each in a file that the next one takes the place of.
 *
 * @param most so many moments, spread over the reset with a beginning that depends on the seed
 */
export async function* cutResets(
  node: Omit<ResetNode, 'spec'>,
  choice: { readonly most: number; readonly seed: number },
): AsyncGenerator<DiskAfterReset & { readonly state: string; readonly image: string }> {
  const { directory, base, record: file, from } = node;
  await using record = await WriteRecord.open(file, { deviceBytes: diskBytes, mayBeTorn: true });
  const states = crashStates(record.entries.slice(from));
  await using images = await CrashImages.open(record, { base, working: join(directory, 'working.raw') });
  const image = join(directory, 'state.raw');
  for (const state of chosenStates(states, choice)) {
    await images.build(state, image);
    yield { state: state.name, image, ...(await lookAt(node, image)) };
  }
}

/** Starts a node on such a disk, and waits until it has come back, without anybody's help. */
export async function comeBack(node: ResetNode, image: string): Promise<Return> {
  const { spec, directory: all } = node;
  const directory = join(all, 'again');
  const disks = spec.disks.map((disk) => ({ ...disk, file: image }));
  await using machine = await Machine.open({ ...spec, disks }, { directory });
  await machine.powerOn();
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(bootMs)]);
  const says = async <As extends string>(text: string, as: As): Promise<As> => {
    await consoleSays(directory, text, signal);
    return as;
  };
  const waits = [
    says('nodecore: maintenance', 'maintenance'),
    says('nodecore: configuration is active', 'configured'),
  ];
  const as = await Promise.any(waits).finally(() => ended.abort());
  await machine.close();
  return { as, ...(await lookAt(node, image)) };
}

async function lookAt(
  { filesystems }: Pick<ResetNode, 'filesystems'>,
  image: string,
): Promise<DiskAfterReset> {
  const table = await partitions.read(image);
  const meta = table?.partitions.find(({ label }) => label === 'META');
  if (meta === undefined) throw new Error(`${image} has no META`);
  await using file = await open(image);
  const bytes = Buffer.alloc(Number(meta.size));
  await file.read(bytes, 0, bytes.length, Number(meta.offset));
  const found = await filesystemsOf(image);
  return {
    isPromised: readMeta(bytes).values.has(metaTag.reset),
    kept: labels.filter(
      (label) => found.get(label) !== undefined && found.get(label) === filesystems.get(label),
    ),
  };
}

/** Hex UUIDs of the xfs filesystems of the node's partitions, by label. */
async function filesystemsOf(image: string): Promise<ReadonlyMap<string, string>> {
  const table = await partitions.read(image);
  await using file = await open(image);
  const found = new Map<string, string>();
  for (const { label, offset } of table?.partitions ?? []) {
    const head = Buffer.alloc(48);
    await file.read(head, 0, head.length, Number(offset));
    if (head.toString('latin1', 0, 4) === 'XFSB') found.set(label, head.toString('hex', 32, 48));
  }
  return found;
}
