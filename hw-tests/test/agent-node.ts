import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { agentEnvironment } from '@nodecore/testkit/agent-environment';
import { agentProgram, prepareAgent } from '@nodecore/testkit/agent-program';
import { type Client, connect, decodeSpec } from '@nodecore/api';
import { EventType } from '@nodecore/api/resource';
import * as pki from '@nodecore/pki';

import { type DiskSpec, type GuestProcess, RigMachine, type RigSpec } from '../src/index.ts';

const gib = 1024 ** 3;

/** The disks of a node: one of the system, one NVMe, one SCSI. */
export const nodeDisks: readonly DiskSpec[] = [
  { driver: 'virtio', sizeBytes: 4 * gib, serial: 'NODE-SYSTEM' },
  { driver: 'nvme', sizeBytes: gib, serial: 'NODE-NVME' },
  { driver: 'scsi', sizeBytes: gib, serial: 'NODE-SCSI' },
];

export type NodeOptions = { readonly name: string; readonly uuid: string; readonly port: number };

export function nodeSpec({ name, uuid, port }: NodeOptions): RigSpec {
  return {
    name,
    uuid,
    firmware: 'bios',
    tpm: 'none',
    memoryMib: 1536,
    cpus: 1, // an emulated second one costs Node more in locks than it gives
    disks: nodeDisks,
    forwards: [{ host: port, guest: 50_000 }],
  };
}

/** A port of the host that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Marks the blank system disk as such: the only thing that an installer does to it. */
export async function install(machine: RigMachine): Promise<void> {
  const device = machine.devices.get('NODE-SYSTEM') ?? '';
  const table = 'label: gpt\nstart=1MiB, size=1MiB, name=META\n';
  const { code, stderr } = await machine.run(['sfdisk', '--quiet', device], { input: Buffer.from(table) });
  if (code !== 0) throw new Error(`sfdisk ${device}: ${stderr.toString()}`);
}

export type Authority = Awaited<ReturnType<typeof pki.createCA>>;

let prepared: Promise<void> | undefined;

type Line = Readonly<Record<string, unknown>> & { readonly msg?: string };

export type AgentOptions = {
  /** A command that starts the agent, whose own command line follows. */
  readonly wrapper?: readonly string[];
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** The agent inside a machine, and clients of it outside. */
export class NodeAgent {
  readonly lines: string[] = [];
  readonly #process: GuestProcess;
  readonly #endpoint: string;
  readonly #waiting = new Set<() => void>();
  #ended = false;

  private constructor(
    machine: RigMachine,
    port: number,
    { wrapper = [], flags = [], env = {} }: AgentOptions,
  ) {
    this.#endpoint = `127.0.0.1:${port}`;
    const [program, ...rest] = [
      ...wrapper,
      agentProgram,
      // An emulated processor takes half a minute for what is chosen by default; luks tests that.
      '--key-derivation=4,32',
      '--proof-limit=60',
      ...flags,
    ];
    this.#process = machine.start([program ?? '', ...rest], { env: { ...agentEnvironment, ...env } });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.lines.push(line);
        this.#wake();
      });
    }
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    this.#process.exited.then(end, end);
  }

  /** Starts the agent. It listens, and either waits for a configuration or has one. */
  static async start(machine: RigMachine, port: number, options: AgentOptions = {}): Promise<NodeAgent> {
    await (prepared ??= prepareAgent());
    const agent = new NodeAgent(machine, port, options);
    await agent.#line((line) => /^(maintenance: |configuration is active)/.test(line.msg ?? ''));
    return agent;
  }

  /** Of the certificate in maintenance; undefined when there was none. */
  get fingerprint(): string | undefined {
    const [line] = this.#logged(({ msg }) => msg?.startsWith('maintenance: ') === true);
    return line === undefined ? undefined : String(line['fingerprint']);
  }

  anybody(): Client {
    return connect({ endpoint: this.#endpoint, insecure: true, fingerprints: [this.fingerprint ?? ''] });
  }

  async as(role: string, ca: Authority): Promise<Client> {
    const { crt, key } = await pki.issueClient(ca, { roles: [role] });
    return connect({ endpoint: this.#endpoint, ca: ca.crt, crt, key });
  }

  /** Waits until it has logged this message, with a reason that matches. */
  async logged(message: string, reason: RegExp): Promise<void> {
    await this.#line((line) => line.msg === message && reason.test(String(line['reason'])));
  }

  /** Waits until it has logged this message after its first so many lines. */
  async loggedSince(count: number, message: string): Promise<void> {
    await this.#line(({ msg }) => msg === message, count);
  }

  /** Asks it to end. @returns its exit code. */
  async stop(): Promise<number> {
    this.#process.kill('SIGTERM');
    return (await this.#process.exited).code;
  }

  async #line(wanted: (line: Line) => boolean, since = 0): Promise<void> {
    for (;;) {
      if (this.#logged(wanted, since).length > 0) return;
      if (this.#ended) throw new Error(`the agent ended:\n${this.lines.join('\n')}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }

  #logged(wanted: (line: Line) => boolean, since = 0): readonly Line[] {
    return this.lines
      .slice(since)
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text) as Line)
      .filter(wanted);
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}

export type KeyFailureState = { readonly slot: number; readonly code: string; readonly message: string };

export type VolumeState = {
  readonly phase: string;
  readonly location?: string;
  readonly mountLocation?: string;
  readonly uuid?: string;
  readonly partitionUUID?: string;
  readonly size?: number;
  readonly filesystem?: string;
  readonly encryptionProvider?: string;
  readonly encryptionSlot?: number;
  readonly encryptionFailedSyncs?: readonly KeyFailureState[];
  readonly encryptionFailedKeys?: readonly KeyFailureState[];
  readonly errorCode?: string;
};

const statusType = 'VolumeStatuses.block.nodecore.dev';

/** Waits until every named volume is ready, and says what each is. */
export async function volumesReady(
  client: Client,
  ids: readonly string[],
): Promise<ReadonlyMap<string, VolumeState>> {
  return await volumesAre(client, (states) => ids.every((id) => states.get(id)?.phase === 'ready'));
}

/** Waits until the volumes are as somebody wants them, and says what each is. */
export async function volumesAre(
  client: Client,
  wanted: (states: ReadonlyMap<string, VolumeState>) => boolean,
  timeoutMs = 600_000,
): Promise<ReadonlyMap<string, VolumeState>> {
  const states = new Map<string, VolumeState>();
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    for await (const { events } of client.watch({ type: statusType }, { signal })) {
      for (const { type, resource } of events) {
        if (resource?.metadata === undefined) continue;
        if (type === EventType.DESTROYED) states.delete(resource.metadata.id);
        else states.set(resource.metadata.id, decodeSpec(resource.spec) as VolumeState);
      }
      if (wanted(states)) return states;
    }
  } catch (cause) {
    throw new Error(`not as wanted: ${String(cause)}: ${JSON.stringify([...states])}`, { cause });
  }
  throw new Error(`the watch ended: ${JSON.stringify([...states])}`);
}

/** The root document of a node with an authority. */
export function machineDocument(ca: Authority): string {
  return `version: v1alpha1
machine:
  type: controlplane
  ca:
    crt: ${Buffer.from(ca.crt).toString('base64')}
    key: ${ca.key.bytes.toString('base64')}
`;
}

/** STATE, encrypted with the node's identity. */
const stateDocument = `apiVersion: v1alpha1
kind: VolumeConfig
name: STATE
encryption:
  provider: luks2
  keys: [{slot: 0, nodeID: {}}]
`;

/** An encrypted xfs on NVMe, with two keys and everything that can be said about its encryption. */
const fastDocument = `apiVersion: v1alpha1
kind: UserVolumeConfig
name: fast
provisioning:
  diskSelector: {match: 'disk.transport == "nvme"'}
  minSize: 500MiB
  maxSize: 700MiB
filesystem: {type: xfs}
encryption:
  provider: luks2
  keys:
    - {slot: 0, nodeID: {}}
    - {slot: 3, static: {passphrase: a passphrase of the test}}
  cipher: aes-xts-plain64
  keySize: 512
  blockSize: 4096
  options: [no_read_workqueue, no_write_workqueue]
  allowDiscards: true
`;

const plainDocument = `apiVersion: v1alpha1
kind: UserVolumeConfig
name: plain
provisioning:
  diskSelector: {match: 'disk.serial == "NODE-SCSI"'}
  minSize: 500MiB
filesystem: {type: ext4}
`;

/** Documents of a node: an authority, an encrypted STATE, an encrypted xfs on NVMe and an ext4 on SCSI. */
export function nodeDocuments(ca: Authority): string {
  return [machineDocument(ca), stateDocument, fastDocument, plainDocument].join('---\n');
}

/** The volumes of {@link nodeDocuments}. */
export const nodeVolumes: readonly string[] = ['STATE', 'EPHEMERAL', 'u-fast', 'u-plain'];
