import { mkdir, truncate } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Duplex } from 'node:stream';

import { Serial } from '@nodecore/waiting';

import { adopt, identify } from './adopt.ts';
import { consoleTail } from './console.ts';
import { ControlSession } from './control-session.ts';
import { DiskBay } from './disk-bay.ts';
import { diskFile, ensureDisk } from './disk-file.ts';
import { MachineError } from './errors.ts';
import { KeeperLock } from './keeper-lock.ts';
import { launch, type Launched } from './launch.ts';
import { keptStarter, type Lifetime, tetheredStarter } from './lifetime.ts';
import type { MachineOptions, PowerOffOptions, PowerOnOptions } from './machine-options.ts';
import { MachineRecord } from './machine-record.ts';
import { type PowerOffReason, type PowerState, reasonOf, stateAfter } from './power.ts';
import { removeTpmState } from './software-tpm.ts';
import { type DiskSpec, type MachineSpec, problems } from './spec.ts';

type Running = {
  readonly control: ControlSession;
  readonly bay: DiskBay;
  readonly launched: Launched;
  readonly stopped: Promise<void>;
};

/**
 * One machine: off, or a QEMU that this process controls.
 *
 * A `tethered` machine dies with this process, however that ends. A `kept` one goes on when its keeper ends; opening its
 * directory again takes it over as it is. What is asked of a machine is done one after another, except `kill`.
 *
 * @example
 * await using machine = await Machine.open(spec, { directory: '/var/tmp/example', lifetime: 'kept' });
 * await machine.powerOn();
 * await consoleSays(machine.directory, 'login:');
 * await machine.powerOff({ graceMs: 30_000 });
 * console.log(machine.reason); // guest-shutdown
 */
export class Machine {
  readonly spec: MachineSpec;
  readonly directory: string;
  readonly lifetime: Lifetime;
  readonly #onState: NonNullable<MachineOptions['onState']>;
  readonly #lock: KeeperLock | undefined;
  readonly #commands = new Serial();
  #record: MachineRecord | undefined;
  #running: Running | undefined;
  #state: PowerState = 'off';
  #reason: PowerOffReason | undefined;
  #disks: readonly DiskSpec[] = [];
  #closed = false;

  private constructor(spec: MachineSpec, options: MachineOptions, lock: KeeperLock | undefined) {
    this.spec = spec;
    this.directory = resolve(options.directory);
    this.lifetime = options.lifetime ?? 'tethered';
    this.#onState = options.onState ?? (() => {});
    this.#lock = lock;
  }

  /**
   * Opens a machine: off, or, when it is kept and runs, as it is.
   *
   * @throws {MachineError} `ERR_MACHINE_SPEC`; `ERR_MACHINE_BUSY` when another process keeps it; `ERR_MACHINE_START` when
   * it runs and can't be reached.
   */
  static async open(spec: MachineSpec, options: MachineOptions): Promise<Machine> {
    const found = [...problems(spec)];
    if (options.lifetime === 'kept' && spec.durability === 'none')
      found.push("a kept machine's disks survive this computer");
    if (found.length > 0) throw new MachineError('ERR_MACHINE_SPEC', spec.name, found.join('; '));
    await mkdir(options.directory, { recursive: true });
    if (options.lifetime !== 'kept') return new Machine(spec, options, undefined);
    const lock = await KeeperLock.take(spec.name, options.directory);
    const machine = new Machine(spec, options, lock);
    try {
      await machine.#adopt();
      return machine;
    } catch (error) {
      await machine.close();
      throw error;
    }
  }

  get state(): PowerState {
    return this.#state;
  }

  /** Why it is off; undefined while it is on, and when this process never saw it on. */
  get reason(): PowerOffReason | undefined {
    return this.#reason;
  }

  /** The host's end of a serial port. @throws {MachineError} `ERR_MACHINE_STOPPED` */
  port(name: string): Duplex {
    const port = this.#on().launched.ports.get(name);
    if (port === undefined) throw new MachineError('ERR_MACHINE_SPEC', this.spec.name, `no port ${name}`);
    return port;
  }

  /**
   * Switches it on; nothing happens when it is on. Resolves when QEMU runs: the guest comes up later.
   *
   * @throws {TypeError} the machine was closed, before or meanwhile; it is off then.
   */
  async powerOn(options: PowerOnOptions = {}): Promise<void> {
    await this.#commands.run(async () => {
      const closed = new TypeError(`the machine ${this.spec.name} is closed`);
      if (this.#closed) throw closed; // a kept one goes on: it is not ours any more
      if (this.#running === undefined) await this.#launch(options);
      if (!this.#closed) return;
      await this.kill(); // what was started meanwhile would have no owner
      throw closed;
    });
  }

  /** Asks the guest to switch itself off, and kills it after a grace period. Resolves when it is off. */
  async powerOff({ graceMs = 10_000 }: PowerOffOptions = {}): Promise<void> {
    await this.#commands.run(async () => {
      const running = this.#running;
      if (running === undefined) return;
      const timer = setTimeout(() => this.#kill(running), graceMs);
      try {
        if (this.#state === 'paused') await running.control.execute('cont');
        if (this.#state === 'panicked') this.#kill(running);
        else await running.control.execute('system_powerdown');
      } catch (error) {
        if (!(error instanceof MachineError && error.code === 'ERR_MACHINE_STOPPED')) this.#kill(running);
      }
      await running.stopped;
      clearTimeout(timer);
    });
  }

  /** Presses keys of its keyboard together, by QEMU's names: `alt`, `f2`. */
  async press(keys: readonly string[]): Promise<void> {
    const all = keys.map((data) => ({ type: 'qcode', data }));
    await this.#commands.run(() => this.#on().control.execute('send-key', { keys: all }));
  }

  /** Its processors stand still until `resume`. @throws {MachineError} `ERR_MACHINE_STOPPED` */
  async pause(): Promise<void> {
    await this.#commands.run(() => this.#on().control.execute('stop'));
  }

  /** @throws {MachineError} `ERR_MACHINE_STOPPED` */
  async resume(): Promise<void> {
    await this.#commands.run(() => this.#on().control.execute('cont'));
  }

  /** Ends QEMU at once. What the guest had written but not flushed may or may not be in the disk files. */
  async kill(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.#kill(running);
    await running.stopped;
  }

  /** Resolves when the machine is off, for whatever reason. */
  async stopped(): Promise<void> {
    await this.#running?.stopped;
  }

  /** The disks it has now. */
  get disks(): readonly DiskSpec[] {
    return this.#running === undefined ? this.spec.disks : this.#disks;
  }

  /** Changes the size of a disk of the machine's, running or off. @throws {MachineError} `ERR_MACHINE_REFUSED` */
  async resizeDisk(disk: DiskSpec, sizeBytes: number): Promise<void> {
    if (this.#running === undefined) await truncate(diskFile(disk, this.directory), sizeBytes);
    else await this.#running.bay.resize(disk, sizeBytes);
  }

  /** Plugs a disk into the running machine. The next boot has the disks of the machine's value again. */
  async attachDisk(disk: DiskSpec): Promise<void> {
    const { bay } = this.#on();
    const file = resolve(diskFile(disk, this.directory));
    await ensureDisk(file, disk.sizeBytes);
    await bay.plug(disk, file);
    this.#disks = [...this.#disks, disk];
  }

  /** Pulls a disk out of the running machine, and waits until the guest has let go of it. Its file stays. */
  async detachDisk(disk: DiskSpec): Promise<void> {
    await this.#on().bay.unplug(disk);
    this.#disks = this.#disks.filter((other) => other !== disk);
  }

  /** The end of what the firmware, the guest and QEMU had to say. */
  consoleTail(): Promise<string> {
    return consoleTail(this.directory);
  }

  /** A tethered machine is killed; a kept one goes on without a keeper. Twice is fine. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.lifetime === 'tethered') await this.kill();
    else this.#letGo();
    await this.#lock?.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #adopt(): Promise<void> {
    this.#record = await MachineRecord.read(this.directory);
    const launched = await adopt(this.spec, this.directory, this.#record);
    if (launched === undefined) return await this.#record.clear();
    this.#take(this.spec, launched);
    this.#enter(await identify(this.spec, this.#on().control));
  }

  async #launch(options: PowerOnOptions): Promise<void> {
    const { accelerator = 'tcg', boot = this.spec.boot, firmware = this.spec.firmware } = options;
    const { disks = this.spec.disks } = options;
    const spec: MachineSpec = { ...this.spec, ...options.namespaces, ...(boot && { boot }), firmware, disks };
    const found = options.disks === undefined ? [] : problems(spec);
    if (found.length > 0) throw new MachineError('ERR_MACHINE_SPEC', spec.name, found.join('; '));
    if (options.newTpm === true) await removeTpmState(this.directory);
    const start =
      this.#record === undefined
        ? tetheredStarter(this.directory)
        : keptStarter(this.directory, this.#record);
    const more = { accelerator, lifetime: this.lifetime, start, arguments: options.arguments ?? [] };
    try {
      this.#reason = undefined;
      const { control, stopped } = this.#take(spec, await launch(spec, this.directory, more));
      // Arguments that QEMU does not take end it before it answers.
      await control.execute('query-status').catch(async (error: unknown) => {
        await stopped;
        throw new MachineError('ERR_MACHINE_START', spec.name, 'QEMU ended at once', { cause: error });
      });
    } catch (error) {
      await this.#record?.clear();
      if (!(error instanceof MachineError) || error.code !== 'ERR_MACHINE_START') throw error;
      const said = await this.consoleTail();
      throw new MachineError('ERR_MACHINE_START', spec.name, `it did not start: ${said}`, { cause: error });
    }
    this.#enter('running');
  }

  #take(spec: MachineSpec, launched: Launched): Running {
    const control = new ControlSession(spec.name, launched.control, (event) => {
      this.#reason = reasonOf(event) ?? this.#reason;
      this.#enter(stateAfter(this.#state, event) ?? this.#state);
    });
    const stopped = this.#goneWith(launched, control);
    this.#disks = [...spec.disks];
    const bay = new DiskBay(spec, control);
    this.#running = { control, launched, stopped, bay };
    return this.#running;
  }

  async #goneWith(launched: Launched, control: ControlSession): Promise<void> {
    await launched.stopped;
    if (this.#closed && this.lifetime === 'kept') return; // it was let go
    control.lose(new MachineError('ERR_MACHINE_STOPPED', this.spec.name, 'the machine is off'));
    await this.#record?.clear();
    this.#running = undefined;
    this.#reason ??= 'lost';
    this.#enter('off');
  }

  #letGo(): void {
    if (this.#running === undefined) return;
    const { launched, control } = this.#running;
    launched.release();
    control.lose(new MachineError('ERR_MACHINE_STOPPED', this.spec.name, 'it was let go'));
    for (const port of launched.ports.values()) port.destroy();
  }

  #kill(running: Running): void {
    this.#reason ??= 'requested';
    running.launched.kill();
  }

  #enter(state: PowerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#onState(state, state === 'off' ? this.#reason : undefined);
  }

  #on(): Running {
    if (this.#running !== undefined) return this.#running;
    throw new MachineError('ERR_MACHINE_STOPPED', this.spec.name, 'the machine is off');
  }
}
