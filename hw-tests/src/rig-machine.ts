import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { type DiskSpec, type Firmware, Machine } from '@nodecore/machine';
import { avaProgram } from '@nodecore/testkit/tap';
import { onAbort } from '@nodecore/waiting';

import { type AvaReport, readReport } from './ava-report.ts';
import { compileCacheInside, keepCompileCache, prepareCompileCache } from './compile-cache.ts';
import { findDevices } from './disk-devices.ts';
import { RigError } from './errors.ts';
import type { GuestProcess } from './guest-process.ts';
import { GuestSession } from './guest-session.ts';
import { cacheDirectory, checkout } from './paths.ts';
import { rigAccelerator, rigBoot } from './rig-boot.ts';
import { machineOf, runnerPort, type RigSpec, specProblems } from './rig-spec.ts';
import type { Runner, RunOptions, RunResult } from './runner.ts';
import { temporaryState } from './state-directory.ts';
import { kvmBoots } from './trial.ts';

export type BootOptions = {
  /** Where disks and TPM state live and stay; default a directory that is removed with the machine. */
  readonly stateDirectory?: string;
  readonly signal?: AbortSignal;
};

export type RebootOptions = {
  /** What the machine's setup says this time; default what its value says. */
  readonly firmware?: Firmware;
  /** Somebody put another TPM into the machine: the state of the old one is gone. */
  readonly newTpm?: boolean;
  readonly signal?: AbortSignal;
};

export type AttachOptions = { readonly signal?: AbortSignal };

/** An emulated processor that shares its host with other work needs this long at worst. */
const bootLimitMs = 180_000;

/**
 * A virtual machine with the host's filesystem, read-only under an overlay that forgets.
 *
 * It can be killed or switched off and booted again with the same disks and TPM state. QEMU and swtpm end when this
 * process ends, however that happens.
 *
 * @example
 * await using machine = await RigMachine.boot(standardMachine);
 * const { code, stdout } = await machine.run(['uname', '-r']);
 */
export class RigMachine implements Runner {
  readonly spec: RigSpec;
  /** Disks, `qemu.log` and `console.log`. */
  readonly directory: string;
  readonly #temporary: boolean;
  readonly #machine: Machine;
  #session: GuestSession | undefined;
  #devices: ReadonlyMap<string, string> = new Map();

  private constructor(spec: RigSpec, machine: Machine, temporary: boolean) {
    this.spec = spec;
    this.directory = machine.directory;
    this.#machine = machine;
    this.#temporary = temporary;
  }

  /** Makes a machine and boots it. */
  static async boot(spec: RigSpec, options: BootOptions = {}): Promise<RigMachine> {
    const problems = specProblems(spec);
    if (problems.length > 0) throw new RigError('ERR_RIG_SPEC', spec.name, problems.join('; '));
    const { stateDirectory, signal } = options;
    const directory = stateDirectory ?? (await temporaryState(spec.name));
    // What is removed with the machine need not survive this computer.
    const durability = stateDirectory === undefined ? 'none' : 'host-crash';
    const inner = await Machine.open({ durability, ...machineOf(spec) }, { directory });
    const machine = new RigMachine(spec, inner, stateDirectory === undefined);
    try {
      await machine.boot({ ...(signal && { signal }) });
      return machine;
    } catch (error) {
      await machine.close();
      throw error;
    }
  }

  get name(): string {
    return this.spec.name;
  }

  /** Device nodes inside by the serials of the disks (an SD card counts under its spec's serial). */
  get devices(): ReadonlyMap<string, string> {
    return this.#devices;
  }

  /** Boots the machine again after `kill` or `powerOff`. */
  async boot(options: RebootOptions = {}): Promise<void> {
    const { signal, newTpm, firmware = this.spec.firmware } = options;
    signal?.throwIfAborted();
    if (this.#machine.state !== 'off') throw new RigError('ERR_RIG_BOOT', this.name, 'the machine is on');
    await prepareCompileCache();
    const spec = { ...this.spec, firmware };
    const accelerator = await rigAccelerator(spec, () => kvmBoots(spec.kernel, signal));
    const how = await rigBoot(spec, this.directory, accelerator);
    await this.#machine.powerOn({ ...how, ...(newTpm && { newTpm }) });
    const session = new GuestSession(this.#machine.port(runnerPort));
    this.#session = session;
    void this.#machine.stopped().then(() => session.lose(this.#offError()));
    const limit = AbortSignal.any([AbortSignal.timeout(bootLimitMs), ...(signal ? [signal] : [])]);
    using _listener = onAbort(limit, () => void this.#machine.kill());
    try {
      await session.ready;
      this.#devices = await findDevices(this, this.#machine.disks, limit);
    } catch (cause) {
      await this.#machine.kill();
      signal?.throwIfAborted();
      const tail = await this.#machine.consoleTail();
      const kept = await this.#keepConsole();
      throw new RigError('ERR_RIG_BOOT', this.spec.name, `it did not come up; ${kept} ends:\n${tail}`, {
        cause,
      });
    }
  }

  /** Starts a command and returns at once. */
  start(argv: readonly [string, ...string[]], options: RunOptions = {}): GuestProcess {
    options.signal?.throwIfAborted();
    const process = this.#running().start({
      argv,
      cwd: options.cwd ?? checkout,
      env: { ...standardEnvironment, ...options.env },
    });
    if (options.input !== undefined) process.write(options.input);
    if (options.keepInput !== true) process.end();
    const listener = onAbort(options.signal, () => process.kill('SIGKILL'));
    const forget = (): void => listener[Symbol.dispose]();
    process.exited.then(forget, forget);
    return process;
  }

  /** Runs a command to its end and returns exactly what it wrote. A code other than 0 is a result, not an error. */
  async run(argv: readonly [string, ...string[]], options: RunOptions = {}): Promise<RunResult> {
    const process = this.start(argv, options);
    const [stdout, stderr, exit] = await Promise.all([
      process.stdout.toArray(),
      process.stderr.toArray(),
      process.exited,
    ]);
    options.signal?.throwIfAborted();
    return { code: exit.code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) };
  }

  /** Starts ava on test files (paths from the checkout) one after another; its report goes to standard output. */
  startAva(files: readonly string[], options: RunOptions & { readonly tap?: boolean } = {}): GuestProcess {
    const flags = options.tap === false ? [] : ['--tap'];
    const argv = ['node', avaProgram, '--concurrency', '1', ...flags, ...files] as const;
    return this.start(argv, options);
  }

  /** Runs ava test files of the checkout inside and returns what each test came to. */
  async ava(files: readonly string[], options: RunOptions = {}): Promise<AvaReport> {
    const process = this.startAva(files, options);
    const [stdout, stderr, { code }] = await Promise.all([
      process.stdout.toArray(),
      process.stderr.toArray(),
      process.exited,
    ]);
    options.signal?.throwIfAborted();
    const text = Buffer.concat([...stdout, ...stderr]).toString();
    return { code, ...readReport(text) };
  }

  /**
   * Changes the size of a disk, running or off. What sits on virtio and SCSI hears of it at once, MegaRAID and USB when
   * the guest asks again (`/sys/block/…/device/rescan`), ATA and SD cards at the next boot; NVMe is refused while it runs.
   */
  async resizeDisk(serial: string, sizeBytes: number): Promise<void> {
    await this.#machine.resizeDisk(this.#disk(serial), sizeBytes);
  }

  /**
   * Plugs a disk into the running machine and waits until the guest has it: on SCSI and USB where the machine has such a
   * disk already, and in one of its `slots`. The next boot has the disks of the machine's value again.
   */
  async attachDisk(
    disk: DiskSpec,
    { signal = AbortSignal.timeout(bootLimitMs) }: AttachOptions = {},
  ): Promise<void> {
    this.#running();
    await this.#machine.attachDisk(disk);
    this.#devices = await findDevices(this, this.#machine.disks, signal);
  }

  /** Pulls a disk out of the running machine, whatever is on it, and waits until the guest has let go. Its file stays. */
  async detachDisk(serial: string): Promise<void> {
    const disk = this.#disk(serial);
    this.#running();
    await this.#machine.detachDisk(disk);
    this.#devices = new Map([...this.#devices].filter(([other]) => other !== serial));
  }

  /** Ends QEMU at once. What the guest had written but not flushed may or may not be in the disk files. */
  async kill(): Promise<void> {
    await this.#machine.kill();
  }

  /** Ends everything inside in order, syncs, and waits until the machine is off. */
  async powerOff(): Promise<void> {
    if (this.#machine.state === 'off') return;
    await keepCompileCache(this);
    this.#running().powerOff();
    await this.#machine.stopped();
  }

  /** Resolves when the machine is off, for whatever reason. */
  async stopped(): Promise<void> {
    await this.#machine.stopped();
  }

  /** Kills the machine; a temporary state directory is removed. */
  async close(): Promise<void> {
    await this.#machine.close();
    if (this.#temporary) await rm(this.directory, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #running(): GuestSession {
    if (this.#session !== undefined && this.#machine.state !== 'off') return this.#session;
    throw this.#offError();
  }

  #offError(): RigError {
    const { reason = 'requested' } = this.#machine;
    const why = reason === 'requested' || reason === 'guest-shutdown' ? '' : `: ${reason}`;
    return new RigError('ERR_RIG_STOPPED', this.name, `the machine is off${why}`);
  }

  #disk(serial: string): DiskSpec {
    const disk = this.#machine.disks.find((each) => each.serial === serial);
    if (disk !== undefined) return disk;
    throw new RigError('ERR_RIG_DISK', this.name, `no disk with serial ${serial}`);
  }

  async #keepConsole(): Promise<string> {
    const logs = join(cacheDirectory, 'logs');
    const path = join(logs, `${this.spec.name}-console.log`);
    await mkdir(logs, { recursive: true });
    await copyFile(join(this.directory, 'console.log'), path).catch(() => {}); // QEMU may have failed before it
    return path;
  }
}

/** The programs of the checkout: Node.js, and the etcd that scripts/setup unpacks. */
const ownPrograms = [join(checkout, 'node_modules', '.bin'), join(checkout, '.cache', 'etcd')].join(':');

const standardEnvironment: Readonly<Record<string, string>> = {
  HOME: '/root',
  LANG: 'C.UTF-8',
  PATH: `${ownPrograms}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
  NODE_COMPILE_CACHE: compileCacheInside,
  // There is no udevd inside: libdevmapper makes the nodes itself.
  DM_DISABLE_UDEV: '1',
};
