import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { consoleSays, consoleTail, Machine, type MachineSpec } from '@nodecore/machine';
import { output, temporaryDirectory } from '@nodecore/testkit';
import { systemClock } from '@nodecore/waiting';
import type { ExecutionContext } from 'ava';

import { freePort } from './agent-node.ts';
import { osctlHere } from './osctl.ts';
import { extension } from './served-release.ts';

export type NodeChanges = Partial<MachineSpec> & {
  /** Where the firmware's network boot goes on. */
  readonly bootFile?: string;
  /** Whether it reaches a factory on this computer; by default where it starts from one. */
  readonly reachesFactory?: boolean;
};

/** A machine that starts what a factory serves. */
export type ServedNode = {
  readonly directory: string;
  readonly spec: MachineSpec;
  /** Where this computer reaches its API. */
  readonly port: number;
  /** What `osctl get` prints of resources of a type, as JSON: to who has no certificate, or has those of a client config. */
  readonly get: (type: string, osconfig?: string) => Promise<string>;
};

/** @returns the machine, which has not been started. */
export async function servedNode(
  t: ExecutionContext,
  { bootFile, reachesFactory = bootFile !== undefined, ...changes }: NodeChanges,
): Promise<ServedNode> {
  const directory = await temporaryDirectory(t);
  const port = await freePort();
  const forwards = [{ host: port, guest: 50_000 }];
  const backend = { kind: 'user', restricted: !reachesFactory, forwards } as const;
  const spec: MachineSpec = {
    name: 'served',
    uuid: randomUUID(),
    firmware: 'uefi',
    tpm: 'none',
    memoryMib: 1024,
    cpus: 2,
    durability: 'none',
    disks: [],
    nics: [{ backend: { ...backend, ...(bootFile !== undefined && { bootFile }) } }],
    ...changes,
  };
  t.teardown(async () => {
    if (!t.passed) t.log(await consoleTail(directory));
  });
  const endpoint = `127.0.0.1:${port}`;
  const get = async (type: string, osconfig?: string): Promise<string> => {
    const osctl = osctlHere(osconfig ?? join(directory, 'osconfig'));
    const who = osconfig === undefined ? ['--insecure'] : [];
    return (await osctl('-n', endpoint, 'get', type, ...who, '-o', 'json')).stdout;
  };
  return { directory, spec, port, get };
}

/** Starts it, anew as often as a boot loader that has enrolled keys does so. */
export async function untilMaintenance(machine: Machine, directory: string): Promise<void> {
  const signal = AbortSignal.timeout(500_000);
  for (;;) {
    await machine.powerOn();
    const over = new AbortController();
    const said = consoleSays(directory, 'maintenance on port', AbortSignal.any([signal, over.signal])).then(
      () => true,
      () => false,
    );
    const isThere = await Promise.race([said, machine.stopped().then(() => false)]);
    over.abort();
    await said;
    if (isThere) return;
    signal.throwIfAborted();
    if (machine.reason !== 'guest-reset') throw new Error(`the machine went off: ${machine.reason}`);
  }
}

/** Asks until the answer has the text, or the machine is off. @returns the last answer. */
export async function untilSaid(machine: Machine, text: string, ask: () => Promise<string>): Promise<string> {
  let said = await ask();
  while (!said.includes(text) && machine.state === 'running') {
    await systemClock.sleep(500); // each question costs the node a connection
    said = await ask();
  }
  return said;
}

/** Of which schematic the node is, and with what: as soon as it has an address. */
export async function showsExtensions(
  t: ExecutionContext,
  ask: () => Promise<string>,
  { id, machine }: { readonly id: string; readonly machine: Machine },
): Promise<void> {
  const found = await untilSaid(machine, id, ask);
  t.true(found.includes(id), 'the schematic');
  t.true(found.includes(`"${extension}"`), found);
}

/** A machine with a downloaded image as its only disk. */
export async function diskOf(file: string, format?: 'qcow2'): Promise<Partial<MachineSpec>> {
  const { size: sizeBytes } = await stat(file);
  return { disks: [{ driver: 'virtio', sizeBytes, serial: 'SYSTEM', file, ...(format && { format }) }] };
}

/** A disk whose writes go elsewhere, and whose content QEMU itself reads from the image. */
export async function above(file: string, format: 'qcow2' | 'vpc' | 'vmdk'): Promise<Partial<MachineSpec>> {
  const disk = `${file}.above`;
  await output(['qemu-img', 'create', '-q', '-f', 'qcow2', '-b', file, '-F', format, disk]);
  return await diskOf(disk, 'qcow2');
}
