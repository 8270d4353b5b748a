import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { Namespace } from '@nodecore/lan';
import { type Accelerator, diskFile, Machine, type PowerOnOptions } from '@nodecore/machine';
import { makeDirectory } from '@nodecore/sys';
import { Backoff, systemClock } from '@nodecore/waiting';

import { attachedDisks } from '../attached-disks.ts';
import type { ClusterDirectory } from '../directory.ts';
import { injectionOf } from '../injection.ts';
import { machineOf } from '../machine-spec.ts';
import type { ClusterPlan, PlannedNode } from '../plan.ts';
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
  readonly #accelerator: Accelerator;
  readonly #log: (line: string) => void;
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
    log: (line: string) => void,
  ) {
    this.#plan = plan;
    this.#node = node;
    this.#directory = directory;
    this.machine = machine;
    this.#accelerator = plan.request.accelerator ?? 'tcg';
    this.#log = log;
  }

  /** Has its system disk made where there is none, and takes the machine over when it runs already. */
  static async open(
    plan: ClusterPlan,
    node: PlannedNode,
    directory: ClusterDirectory,
    makeDisk: (path: string, sizeBytes: number) => Promise<void>,
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
      if (!isThere) await makeDisk(disk, system.sizeBytes);
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
    opened.kept = new KeptNode(plan, node, directory, machine, log);
    return opened.kept;
  }

  get name(): string {
    return this.#node.name;
  }

  /** @throws {MachineError} with the last lines of its console. */
  async powerOn(options: Pick<PowerOnOptions, 'boot'> = {}): Promise<void> {
    this.#leave = false;
    if (this.isOn) return;
    this.#starts += 1;
    this.#crashed = undefined;
    const injected = await injectionOf(this.#plan, this.#node, this.#directory);
    const attached = await attachedDisks(this.#directory, this.#node);
    const disks = [...this.#node.disks, ...attached, ...(injected?.disks ?? [])];
    const { lan } = this.#plan;
    await this.machine.powerOn({
      ...injected,
      ...options,
      disks,
      accelerator: this.#accelerator,
      ...(lan !== undefined && { namespaces: new Namespace(lan.namespace).files() }),
    });
  }

  /** Presses the power button, and kills it after the grace. A guest that resets instead stays off, too. */
  async powerOff(graceMs: number): Promise<void> {
    this.#leave = true;
    this.#crashed = undefined;
    await this.machine.powerOff({ graceMs });
  }

  /** @param options what it starts from, this once */
  async reboot(options: Pick<PowerOnOptions, 'boot'> = {}): Promise<void> {
    await this.machine.kill();
    await this.powerOn(options);
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
    if (!this.#leave) await this.powerOn();
  }

  /** The file of its console. */
  get console(): string {
    return join(this.machine.directory, 'console.log');
  }
}
