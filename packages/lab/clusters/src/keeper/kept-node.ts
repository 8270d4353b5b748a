import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { Namespace } from '@nodecore/lan';
import { type Accelerator, diskFile, Machine, type PowerOnOptions } from '@nodecore/machine';
import { makeDirectory } from '@nodecore/sys';
import { Backoff, Serial, systemClock } from '@nodecore/waiting';

import { attachedDisks } from '../attached-disks.ts';
import type { ClusterDirectory } from '../directory.ts';
import type { DiskShape } from '../disk-copy.ts';
import { injectionOf } from '../injection.ts';
import { machineOf } from '../machine-spec.ts';
import { currentImage } from '../kernel-files.ts';
import { lockBoot } from '../lock.ts';
import type { ClusterPlan, PlannedNode } from '../plan.ts';
import { putAwayLog } from '../rotate-log.ts';
import { isStartable } from '../startable-disk.ts';
import type { Kept } from './kept.ts';
import type { KeptMachine } from './messages.ts';

/**
 * One machine and its power: a guest that resets is switched on again, one that powers off stays off, and one whose QEMU
 * ends without a word is said to have crashed.
 */
export class KeptNode implements Kept {
  readonly #plan: ClusterPlan;
  readonly #node: PlannedNode;
  readonly #directory: ClusterDirectory;
  /** Its disks come and go through it. */
  readonly machine: Machine;
  readonly #accelerator: () => Promise<Accelerator>;
  readonly #log: (line: string) => void;
  /** One after another: who stops a machine that is being started again finds it on, or it is not started. */
  readonly #commands = new Serial();
  readonly #backoff = new Backoff({ firstMs: 250, largestMs: 10_000 });
  #starts = 0;
  #crashed: string | undefined;
  /** Nobody wants it on: it was told to go off, or is another keeper's. */
  #leave = false;

  private constructor(
    plan: ClusterPlan,
    node: PlannedNode,
    directory: ClusterDirectory,
    machine: Machine,
    accelerator: () => Promise<Accelerator>,
    log: (line: string) => void,
  ) {
    this.#plan = plan;
    this.#node = node;
    this.#directory = directory;
    this.machine = machine;
    this.#accelerator = accelerator;
    this.#log = log;
  }

  /** Has its system disk made where there is none, and takes the machine over when it runs already. */
  static async open(
    plan: ClusterPlan,
    node: PlannedNode,
    directory: ClusterDirectory,
    makeDisk: (path: string, shape: DiskShape) => Promise<void>,
    accelerator: () => Promise<Accelerator>,
    log: (line: string) => void,
  ): Promise<KeptNode> {
    const own = directory.node(node);
    await makeDirectory(own);
    const [system] = node.disks;
    if (system !== undefined) {
      const disk = diskFile(system, own);
      const isThere = await access(disk).then(
        () => true,
        () => false,
      );
      if (!isThere) await makeDisk(disk, system);
    }
    const opened: { kept?: KeptNode } = {};
    const shares = (node.shares ?? []).map((tag) => ({ tag, directory: join(own, 'shares', tag) }));
    for (const share of shares) await makeDirectory(share.directory);
    const spec = machineOf(plan, node, await attachedDisks(directory, node));
    const machine = await Machine.open(shares.length === 0 ? spec : { ...spec, shares }, {
      directory: own,
      lifetime: 'kept',
      onState: (state, reason) => {
        log(`${node.name} ${state}${reason === undefined ? '' : ` (${reason})`}`);
        if (state === 'off') opened.kept?.isOff(reason);
      },
    });
    opened.kept = new KeptNode(plan, node, directory, machine, accelerator, log);
    return opened.kept;
  }

  get name(): string {
    return this.#node.name;
  }

  /** @throws {MachineError} with the last lines of its console. */
  async powerOn(options: Pick<PowerOnOptions, 'boot'> = {}): Promise<void> {
    await this.#commands.run(async () => {
      this.#leave = false;
      await this.#start(options);
    });
  }

  async #start(options: Pick<PowerOnOptions, 'boot'> = {}): Promise<void> {
    if (this.isOn) return;
    this.#starts += 1;
    this.#crashed = undefined;
    const fromDisk = options.boot === undefined && (await this.#startsFromDisk());
    const accelerator = await this.#accelerator();
    const { request } = this.#plan;
    // Until QEMU has read both files: who exchanges them does it one after the other.
    await using _lock = 'kernel' in request.image ? await lockBoot(this.#directory) : undefined;
    const image = await currentImage(this.#directory, request.image);
    const plan = { ...this.#plan, request: { ...request, image } };
    const injected = await injectionOf(plan, this.#node, this.#directory, fromDisk);
    const attached = await attachedDisks(this.#directory, this.#node);
    const disks = [...this.#node.disks, ...attached, ...(injected?.disks ?? [])];
    const { lan } = this.#plan;
    if (this.#leave) return; // it was told to go off meanwhile
    await putAwayLog(this.console); // why it was started again may be the question
    await this.machine.powerOn({
      ...('kernel' in image && { boot: { kind: 'kernel', ...image } }),
      ...injected,
      ...(fromDisk && { boot: { kind: 'disk' } }),
      ...options,
      disks,
      accelerator,
      ...(lan !== undefined && { namespaces: new Namespace(lan.namespace).files() }),
    });
  }

  /** Whether something is installed that goes before the kernel of this computer. */
  async #startsFromDisk(): Promise<boolean> {
    const { disksFirst, uefi } = this.#plan.request;
    const [system] = this.#node.disks;
    if (disksFirst !== true || system === undefined) return false;
    const path = diskFile(system, this.#directory.node(this.#node));
    return await isStartable(path, { sectorSize: system.sectorSize, uefi });
  }

  /** Presses the power button, and kills it after the grace. A guest that resets instead stays off, too. */
  async powerOff(graceMs: number): Promise<void> {
    this.#leave = true;
    await this.#commands.run(async () => {
      this.#leave = true;
      this.#crashed = undefined;
      await this.machine.powerOff({ graceMs });
    });
  }

  /** @param options what it starts from, this once */
  async reboot(options: Pick<PowerOnOptions, 'boot'> = {}): Promise<void> {
    await this.#commands.run(async () => {
      await this.machine.kill();
      this.#leave = false;
      await this.#start(options);
    });
  }

  get isOn(): boolean {
    return this.machine.state !== 'off';
  }

  view(): KeptMachine {
    const lastLines = this.#crashed;
    return {
      name: this.name,
      state: lastLines === undefined ? this.machine.state : 'crashed',
      starts: this.#starts,
      ...(lastLines !== undefined && { lastLines }),
    };
  }

  /** It goes on without this process. */
  async close(): Promise<void> {
    this.#leave = true;
    await this.machine.close();
  }

  /** Called with the reason when the machine went off. */
  isOff(reason: string | undefined): void {
    if (this.#leave || reason === 'requested' || reason === 'guest-shutdown') return;
    void this.#again(reason).catch((error: unknown) => {
      this.#crashed = String(error);
      this.#log(`${this.name} ${String(error)}`);
    });
  }

  async #again(reason: string | undefined): Promise<void> {
    if (reason !== 'guest-reset') {
      this.#crashed = `${reason ?? 'lost'}: ${await this.machine.consoleTail()}`;
      return;
    }
    await systemClock.sleep(this.#backoff.next());
    await this.#commands.run(async () => {
      if (!this.#leave) await this.#start();
    });
  }

  /** The file of its console. */
  get console(): string {
    return join(this.machine.directory, 'console.log');
  }
}
