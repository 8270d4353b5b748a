import type { Client } from '@nodecore/api';
import type { Mount } from '@nodecore/api/machine';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { type DebianRelease, RigMachine } from '../src/index.ts';
import {
  type Authority,
  freePort,
  install,
  machineDocument,
  NodeAgent,
  nodeSpec,
  type VolumeState,
  volumesAre,
} from './agent-node.ts';
import { checkAnswers } from './matrix-answers.ts';
import {
  type Cell,
  diskBytes,
  disksOf,
  documentOf,
  grows,
  growsLive,
  idOf,
  isFilesystem,
  looksWhenAsked,
  nameOf,
  serialOf,
  share,
  shareDocument,
} from './matrix-cells.ts';
import { checkContents, checkTraces, leaveTraces, placeOf, type Shell } from './matrix-traces.ts';

const grownBytes = 2 * diskBytes;
const gib = 1024 ** 3;
/** QEMU erases a card in writes of 512 bytes, in which the machine stands still: more than 20 s for a GiB. */
const eraseNoCard = 'for queue in /sys/block/mmcblk*/queue; do echo 0 > "$queue/discard_max_bytes"; done';
const rescan = 'echo 1 > "/sys/block/$(basename "$1")/device/rescan"';

type States = ReadonlyMap<string, VolumeState>;

/** A node whose disks carry a part of the matrix, from the first configuration to the last document that is taken away. */
export class MatrixNode {
  readonly machine: RigMachine;
  readonly port: number;
  readonly ca: Authority;
  /** Everything that the agent has said in its earlier lives. */
  readonly #said: string[] = [];
  readonly #t: ExecutionContext;
  readonly #cells: readonly Cell[];
  #agent: NodeAgent;

  private constructor(
    t: ExecutionContext,
    parts: Pick<MatrixNode, 'machine' | 'port' | 'ca' | 'agent'> & { readonly cells: readonly Cell[] },
  ) {
    this.#t = t;
    this.machine = parts.machine;
    this.port = parts.port;
    this.ca = parts.ca;
    this.#cells = parts.cells;
    this.#agent = parts.agent;
  }

  /** Boots a blank machine with a disk for each driver and starts the agent; all of it goes with the test. */
  static async boot(
    t: ExecutionContext,
    cells: readonly Cell[],
    kernel?: DebianRelease,
  ): Promise<MatrixNode> {
    const port = await freePort();
    const machine = await RigMachine.boot({
      ...nodeSpec({ name: `matrix-${kernel ?? 'own'}`, uuid: crypto.randomUUID(), port }),
      shares: [{ tag: share.tag, directory: await temporaryDirectory(t) }],
      disks: [{ driver: 'virtio', sizeBytes: 4 * gib, serial: 'NODE-SYSTEM' }, ...disksOf(cells)],
      ...(kernel && { kernel }),
    });
    t.teardown(() => machine.close());
    await install(machine);
    await machine.run(['sh', '-c', eraseNoCard]);
    const ca = await pki.createCA('nodecore');
    const agent = await NodeAgent.start(machine, port);
    const node = new MatrixNode(t, { machine, port, ca, cells, agent });
    t.teardown(() => {
      if (!t.passed) t.log(node.said.slice(-40).join('\n'));
    });
    return node;
  }

  get agent(): NodeAgent {
    return this.#agent;
  }

  get said(): readonly string[] {
    return [...this.#said, ...this.#agent.lines];
  }

  /** Brings the configuration and waits until every volume is in use; leaves something in each. */
  async provision(): Promise<States> {
    using stranger = this.#agent.anybody();
    this.#t.true((await stranger.version()).maintenance);
    const data = this.#documents([...this.#cells.map(documentOf), shareDocument]);
    const reply = await stranger.applyConfiguration({ data }, { timeoutMs: 180_000 });
    this.#t.true(reply.durable);
    const states = await this.#ready();
    await this.#checkMounts();
    await leaveTraces(this.#shell, this.#cells, states);
    await this.#checkTraces(states);
    await this.#checkAnswers();
    return states;
  }

  /** Switches the machine off in order; disks whose guests hear of it no other way grow meanwhile. */
  async rebootWithLargerDisks(before: States): Promise<States> {
    const t = this.#t;
    t.is(await this.#agent.stop(), 0, this.#agent.lines.slice(-20).join('\n'));
    t.notRegex(await this.#shell('cat /proc/mounts'), /\/var\/mnt|\/system\/state/);
    t.notRegex(await this.#shell('cat /proc/swaps'), /partition/);
    t.is(await this.#shell('dmsetup ls'), 'No devices found');
    await this.machine.powerOff();
    const later = this.#growing().filter(({ driver }) => !growsLive.has(driver));
    for (const { driver } of later) await this.machine.resizeDisk(serialOf(driver), grownBytes);
    await this.machine.boot();
    await this.machine.run(['sh', '-c', eraseNoCard]);
    this.#said.push(...this.#agent.lines);
    this.#agent = await NodeAgent.start(this.machine, this.port);
    const after = await this.#ready(later);
    for (const id of this.#cells.map(idOf)) {
      t.is(after.get(id)?.uuid, before.get(id)?.uuid, id);
      t.is(after.get(id)?.partitionUUID, before.get(id)?.partitionUUID, id);
    }
    await this.#checkMounts(later);
    await this.#checkRaw(after, later);
    await this.#checkTraces(after);
    return after;
  }

  /** Gives the other disks more room while their volumes are in use. */
  async growLive(): Promise<void> {
    for (const { driver } of this.#growing()) {
      if (!growsLive.has(driver)) continue;
      const serial = serialOf(driver);
      await this.machine.resizeDisk(serial, grownBytes);
      if (looksWhenAsked.has(driver)) await this.#shell(rescan, this.machine.devices.get(serial) ?? '');
    }
    const states = await this.#ready(this.#growing());
    await this.#checkMounts(this.#growing());
    await this.#checkRaw(states, this.#growing());
    await this.#checkTraces(states);
    await this.#checkAnswers();
  }

  /** Takes the documents away: nothing is in use, and what was on the disks can be read without us. */
  async tearDown(states: States): Promise<void> {
    using client = await this.#administrator();
    await client.applyConfiguration({ data: this.#documents([]) }, { timeoutMs: 180_000 });
    const ids = [...this.#cells.map(idOf), share.id];
    await volumesAre(client, (left) => ids.every((id) => !left.has(id)), this.#patienceMs);
    const mounts = await this.#shell('cat /proc/mounts /proc/swaps; dmsetup ls');
    for (const cell of this.#cells) {
      this.#t.false(mounts.includes(`/var/mnt/${nameOf(cell)} `), mounts);
      this.#t.false(mounts.includes(`luks2-${idOf(cell)}`), mounts);
    }
    this.#t.notRegex(mounts, /virtiofs|\spartition\s/);
    await checkContents(this.#t, this.#shell, { cells: this.#cells, states });
  }

  #documents(volumes: readonly string[]): Buffer {
    return Buffer.from([machineDocument(this.ca), ...volumes].join('---\n'));
  }

  #growing(): readonly Cell[] {
    return this.#cells.filter(grows);
  }

  /** An emulated processor takes its time for each volume. */
  get #patienceMs(): number {
    return 120_000 + this.#cells.length * 20_000;
  }

  /** Waits until every volume is in use and those that are named have all of their larger disks. */
  async #ready(grown: readonly Cell[] = []): Promise<States> {
    using client = await this.#administrator();
    const ids = [...this.#cells.map(idOf), share.id, 'EPHEMERAL'];
    const isReady = (states: States): boolean =>
      ids.every((id) => states.get(id)?.phase === 'ready') &&
      grown.every((cell) => Number(states.get(idOf(cell))?.size) > diskBytes);
    return await volumesAre(client, isReady, this.#patienceMs);
  }

  async #checkMounts(grown: readonly Cell[] = []): Promise<void> {
    using client = await this.#administrator();
    const { mounts } = await client.mounts();
    for (const cell of this.#cells.filter(isFilesystem)) {
      const mount = mounts.find(({ target }) => target === `/var/mnt/${nameOf(cell)}`);
      this.#checkMount(cell, mount, grown.includes(cell));
    }
    this.#t.is(mounts.find(({ target }) => target === '/var/mnt/share')?.type, 'virtiofs');
  }

  #checkMount(cell: Cell, mount: Mount | undefined, isGrown: boolean): void {
    const t = this.#t;
    const id = idOf(cell);
    t.is(mount?.type, cell.content, id);
    if (cell.key === 'none') t.notRegex(mount?.source ?? '', /mapper/, id);
    else t.is(mount?.source, `/dev/mapper/luks2-${id}`);
    if (isGrown) t.true(Number(mount?.sizeBytes) > diskBytes, `${id}: ${mount?.sizeBytes} bytes`);
  }

  /** Raw volumes that have grown are larger for who uses them. */
  async #checkRaw(states: States, grown: readonly Cell[]): Promise<void> {
    for (const cell of grown.filter(({ content }) => content === 'raw')) {
      const bytes = await this.#shell('blockdev --getsize64 "$1"', placeOf(cell, states.get(idOf(cell))));
      this.#t.true(Number(bytes) > diskBytes, `${idOf(cell)}: ${bytes} bytes`);
    }
  }

  async #checkTraces(states: States): Promise<void> {
    await checkTraces(this.#t, this.#shell, { cells: this.#cells, states });
  }

  async #checkAnswers(): Promise<void> {
    using client = await this.#administrator();
    await checkAnswers(this.#t, client, this.machine);
  }

  #administrator(): Promise<Client> {
    return this.#agent.as('os:admin', this.ca);
  }

  readonly #shell: Shell = async (script, ...argv) => {
    const { code, stdout, stderr } = await this.machine.run(['sh', '-ec', script, 'sh', ...argv]);
    if (code !== 0)
      throw new Error(`${script} (${argv.join(' ')}): ${code}: ${stdout.toString()}${stderr.toString()}`);
    return stdout.toString().trim();
  };
}
