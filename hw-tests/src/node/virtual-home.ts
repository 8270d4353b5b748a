import { execFile } from 'node:child_process';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { agentProgram, debuggedAgentProgram, prepareAgent } from '@nodecore/testkit/agent-program';

import { RigMachine } from '../rig-machine.ts';
import type { AgentHome, HomeOptions } from './home.ts';
import type { RigSpec } from '../rig-spec.ts';

const gib = 1024 ** 3;
const systemDisk = 'NODE-SYSTEM';
const guestInspectPort = 9229;

/** The machine of `npm start`: UEFI, a TPM, a system disk, and one disk each for what a selector can tell apart. */
export function virtualNode({ port, inspectPort }: HomeOptions): RigSpec {
  const inspected = inspectPort === undefined ? [] : [{ host: inspectPort, guest: guestInspectPort }];
  return {
    name: 'virtual-node',
    uuid: 'b6f0e2d4-93a7-4f1c-8d5e-20c4a17b6e39',
    firmware: 'uefi',
    tpm: 'crb',
    memoryMib: 2048,
    cpus: 1,
    disks: [
      { driver: 'virtio', sizeBytes: 6 * gib, serial: systemDisk },
      { driver: 'nvme', sizeBytes: 2 * gib, serial: 'NODE-NVME' },
      { driver: 'scsi', sizeBytes: 2 * gib, serial: 'NODE-SCSI' },
    ],
    forwards: [{ host: port, guest: 50_000 }, ...inspected],
  };
}

/** Boots the virtual node with the disks of earlier days; the system disk is installed the first time. */
export async function virtualHome(options: HomeOptions, signal: AbortSignal): Promise<AgentHome> {
  const { directory, inspectPort } = options;
  const isDebugged = inspectPort !== undefined;
  await Promise.all([install(join(directory, `${systemDisk}.disk`)), prepareAgent({ isDebugged })]);
  const machine = await RigMachine.boot(virtualNode(options), { stateDirectory: directory, signal });
  return {
    startAgent: () =>
      machine.start([
        // From outside nothing but the forwarded ports of the loopback leads into the machine.
        ...(isDebugged
          ? (['node', `--inspect=0.0.0.0:${guestInspectPort}`, debuggedAgentProgram] as const)
          : ([agentProgram] as const)),
        // Measured costs would take minutes of an emulated processor; its keys come from a UUID that stands above.
        '--key-derivation=4,4096',
        '--proof-limit=60',
      ]),
    close: () => machine.powerOff(),
  };
}

/** What an installer does to a blank system disk: a partition table with META, by which the agent knows its disk. */
async function install(path: string): Promise<void> {
  const part = `${path}.part`;
  const existing = await open(path, 'r').catch(() => undefined);
  await existing?.close();
  if (existing !== undefined) return;
  const file = await open(part, 'w');
  await file.truncate(6 * gib);
  await file.close();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sfdisk = execFile('/usr/sbin/sfdisk', ['--quiet', part], (error) =>
    error ? reject(error) : resolve(),
  );
  sfdisk.stdin?.end('label: gpt\nstart=1MiB, size=1MiB, name=META\n');
  await promise;
  await rename(part, path);
}
