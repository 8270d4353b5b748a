import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { connect } from '@nodecore/api';
import { certificateList, createSigningIdentity, signPe, variableStore } from '@nodecore/efi';
import { directBoot, type NodeImage, nodeImage, RigMachine } from '@nodecore/hw-tests';
import { diskImage } from '@nodecore/image';
import { consoleSays, Machine, type MachineSpec } from '@nodecore/machine';
import { buildRelease } from '@nodecore/release';
import { agentEnvironment } from '@nodecore/testkit/agent-environment';
import { agentProgram, prepareAgent } from '@nodecore/testkit/agent-program';
import { assembleUki } from '@nodecore/uki';
import { fileView } from '@nodecore/view';

import { ask, type Bench, type Side } from './question.ts';

const gib = 1024 ** 3;
const patienceMs = 240_000;
/** A machine that is switched on knows nothing of the one before, and takes half a minute. */
const fewBoots = { rounds: 7, warmUp: 0 } as const;
/** It is reported; beyond this something is broken. */
const secureGate = 6;
/** Reported, too: that machine lacks most of what the node OS begins with. */
const fileGate = 6;
/** What a virtual node of a checkout was before there was an image. */
const checkedOut = fileURLToPath(new URL('../../packages/apps/agent/bin/nodecore-agent.js', import.meta.url));
/** Of the certificates in the firmware. */
const owner = '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0';
/** The same machine for both sides, as far as it is one. */
const hardware = {
  firmware: 'bios',
  tpm: 'none',
  memoryMib: 1536,
  cpus: 1,
  disks: [{ driver: 'virtio', sizeBytes: 4 * gib, serial: 'NODE-SYSTEM' }],
} as const satisfies Partial<MachineSpec>;

type Boot = {
  readonly ms: number;
  /** What it answered. */
  readonly state: string;
};

const side = (name: string, start: () => Promise<Boot>): Side<string> => ({
  name,
  run: async () => (await start()).state,
  sample: async () => (await start()).ms,
});

/** How long a machine takes from the power button until its API answers: the node OS, and an agent on the system of this computer over 9p. */
export const bench: Bench = {
  needsMachines: true,
  prepare: async (stack) => {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    await prepareAgent();
    const image = await nodeImage({});
    const direct = { ...hardware, boot: await directBoot(directory, image) };
    const signed = await signedDisk(directory, image);
    const maintenance = 'nodecore: maintenance';
    return [
      ask({
        name: 'node-boot-host',
        question:
          'How long does a machine take from power on until its API answers, with the node OS and with the system and checkout of this computer over 9p?',
        gate: 0.6,
        ...fewBoots,
        ours: side('the node OS', () => bootNode(direct, maintenance)),
        peer: side('a checkout over 9p', () => bootHost(checkedOut)),
      }),
      ask({
        name: 'node-boot-file',
        question: 'How long does the node OS take against an agent that is one file over 9p, and no drivers?',
        gate: fileGate,
        ...fewBoots,
        ours: side('the node OS', () => bootNode(direct, maintenance)),
        peer: side('one file over 9p', () => bootHost(agentProgram)),
      }),
      ask({
        name: 'node-boot-secure',
        question:
          'What does a firmware with Secure Boot cost, which loads the node OS from a disk and proves its signature?',
        gate: secureGate,
        ...fewBoots,
        ours: side('UEFI with Secure Boot', () => bootNode(signed, maintenance)),
        peer: side('no firmware', () => bootNode(direct, maintenance)),
      }),
    ];
  },
};

/** A disk with the image, signed, and a firmware that starts nothing else. */
async function signedDisk(
  directory: string,
  { stub, kernel, kernelVersion, initrd, commandLine }: NodeImage,
): Promise<Omit<MachineSpec, 'name' | 'uuid'>> {
  const signer = await createSigningIdentity('bench');
  const osrel = 'ID=nodeos\nIMAGE_ID=nodeos\nIMAGE_VERSION=1.14.0\n';
  const sections = { osrel, cmdline: commandLine, uname: kernelVersion, linux: kernel, initrd };
  const uki = await assembleUki({ stub, sections, sign: signer });
  const systemdBoot = await signPe(await fileView(join(await releaseFiles(), 'systemd-boot.efi')), signer);
  const esp = { systemdBoot, entries: [{ imageVersion: '1.14.0', sequence: 1, uki }] };
  const disk = diskImage({ recipe: 'a signed node OS', esp });
  const [file, store] = [join(directory, 'signed.raw'), join(directory, 'keys.fd')];
  await disk.writeTo(file);
  const list = certificateList(signer.certificate, owner);
  const blank = await readFile('/usr/share/OVMF/OVMF_VARS_4M.fd');
  await writeFile(store, variableStore(blank, { PK: [list], KEK: [list], db: [list] }));
  return {
    ...hardware,
    firmware: 'uefi-secure-boot',
    variableStore: { from: store },
    disks: [{ driver: 'virtio', sizeBytes: disk.size, serial: 'NODE-SYSTEM', file }],
  };
}

async function releaseFiles(): Promise<string> {
  return join((await buildRelease()).directory, 'amd64');
}

async function bootNode(spec: Omit<MachineSpec, 'name' | 'uuid'>, ready: string): Promise<Boot> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
  const port = await freePort();
  const backend = { kind: 'user', forwards: [{ host: port, guest: 50_000 }] } as const;
  const whole = {
    ...spec,
    name: 'bench',
    uuid: randomUUID(),
    durability: 'none',
    nics: [{ backend }],
  } as const;
  try {
    await using machine = await Machine.open(whole, { directory });
    const began = performance.now();
    await machine.powerOn();
    await consoleSays(directory, ready, AbortSignal.timeout(patienceMs));
    const state = await answer(port);
    return { ms: performance.now() - began, state };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function bootHost(program: string): Promise<Boot> {
  const port = await freePort();
  const forwards = [{ host: port, guest: 50_000 }];
  const began = performance.now();
  await using machine = await RigMachine.boot({ ...hardware, name: 'bench', uuid: randomUUID(), forwards });
  const words = [program, '--key-derivation=4,32', '--proof-limit=60'] as const;
  const agent = machine.start(words, { env: { ...agentEnvironment } });
  agent.exited.catch(() => {}); // the machine ends before it does
  for await (const line of createInterface({ input: agent.stdout }))
    if (line.includes('"maintenance: ')) break;
  const state = await answer(port);
  return { ms: performance.now() - began, state };
}

/** Asks until somebody answers. */
async function answer(port: number): Promise<string> {
  using client = connect({ endpoint: `127.0.0.1:${port}`, insecure: true });
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      const { version, maintenance } = await client.version({ timeoutMs: 5000 });
      return `${version} ${maintenance}`;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
