import { copyFile, mkdir, rm, truncate } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { type DiskSpec, type Firmware, removeTpmState, specProblems } from '@nodecore/machine';

import { accelerator } from './accelerator.ts';
import { type AvaReport, readReport } from './ava-report.ts';
import { compileCacheInside, keepCompileCache, prepareCompileCache } from './compile-cache.ts';
import { findDevices } from './disk-devices.ts';
import { RigError } from './errors.ts';
import type { GuestProcess } from './guest-process.ts';
import { cacheDirectory, checkout } from './paths.ts';
import { temporaryState } from './state-directory.ts';
import { consoleTail, diskFile, ensureDisk, type PoweredMachine, powerOn } from './virtual-hardware.ts';
import type { RigSpec } from './rig-spec.ts';

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

export type RunOptions = {
  /** Added to a small standard environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default the checkout. */
  readonly cwd?: string;
  /** Standard input; default none. */
  readonly input?: Uint8Array;
  /** Leaves standard input open after that, for `write`, until `end`. */
  readonly keepInput?: boolean;
  /** Kills the command. */
  readonly signal?: AbortSignal;
};

export type RunResult = { readonly code: number; readonly stdout: Buffer; readonly stderr: Buffer };

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
export class RigMachine {
  readonly spec: RigSpec;
  /** Disks, `qemu.log` and `console.log`. */
  readonly directory: string;
  readonly #temporary: boolean;
  #powered: PoweredMachine | undefined;
  #devices: ReadonlyMap<string, string> = new Map();
  #disks: readonly DiskSpec[] = [];

  private constructor(spec: RigSpec, directory: string, temporary: boolean) {
    this.spec = spec;
    this.directory = directory;
    this.#temporary = temporary;
  }

  /** Makes a machine and boots it. */
  static async boot(spec: RigSpec, options: BootOptions = {}): Promise<RigMachine> {
    const problems = specProblems(spec);
    if (problems.length > 0) throw new RigError('ERR_RIG_SPEC', spec.name, problems.join('; '));
    const { stateDirectory, signal } = options;
    if (stateDirectory !== undefined) await mkdir(stateDirectory, { recursive: true });
    const directory = stateDirectory ?? (await temporaryState(spec.name));
    const machine = new RigMachine(spec, directory, stateDirectory === undefined);
    try {
      await machine.boot({ ...(signal && { signal }) });
      return machine;
    } catch (error) {
      await machine.close();
      throw error;
    }
  }

  /** Device nodes inside by the serials of the disks (an SD card counts under its spec's serial). */
  get devices(): ReadonlyMap<string, string> {
    return this.#devices;
  }

  /** Boots the machine again after `kill` or `powerOff`. */
  async boot(options: RebootOptions = {}): Promise<void> {
    const { signal, firmware = this.spec.firmware } = options;
    signal?.throwIfAborted();
    if (this.#powered !== undefined) throw new RigError('ERR_RIG_BOOT', this.spec.name, 'the machine is on');
    if (options.newTpm === true) await removeTpmState(this.directory);
    await prepareCompileCache();
    const spec = { ...this.spec, firmware };
    const powered = await powerOn(spec, this.directory, await accelerator(spec.kernel, signal));
    this.#powered = powered;
    this.#disks = [...spec.disks];
    const limit = AbortSignal.any([AbortSignal.timeout(bootLimitMs), ...(signal ? [signal] : [])]);
    const kill = (): void => powered.kill();
    limit.addEventListener('abort', kill);
    try {
      await powered.session.ready;
      this.#devices = await findDevices(this, this.#disks, limit);
    } catch (cause) {
      await this.kill();
      signal?.throwIfAborted();
      const tail = await consoleTail(this.directory);
      const kept = await this.#keepConsole();
      throw new RigError('ERR_RIG_BOOT', this.spec.name, `it did not come up; ${kept} ends:\n${tail}`, {
        cause,
      });
    } finally {
      limit.removeEventListener('abort', kill);
    }
  }

  /** Starts a command and returns at once. */
  start(argv: readonly [string, ...string[]], options: RunOptions = {}): GuestProcess {
    options.signal?.throwIfAborted();
    const process = this.#running().session.start({
      argv,
      cwd: options.cwd ?? checkout,
      env: { ...standardEnvironment, ...options.env },
    });
    if (options.input !== undefined) process.write(options.input);
    if (options.keepInput !== true) process.end();
    const { signal } = options;
    if (signal !== undefined) {
      const kill = (): void => process.kill('SIGKILL');
      signal.addEventListener('abort', kill);
      const forget = (): void => signal.removeEventListener('abort', kill);
      process.exited.then(forget, forget);
    }
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
    const argv = [
      'node',
      'node_modules/ava/entrypoints/cli.js',
      '--concurrency',
      '1',
      ...flags,
      ...files,
    ] as const;
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
    const disk = this.#disk(this.#powered === undefined ? this.spec.disks : this.#disks, serial);
    if (this.#powered === undefined) await truncate(diskFile(disk, this.directory), sizeBytes);
    else await this.#powered.bay.resize(disk, sizeBytes);
  }

  /**
   * Plugs a disk into the running machine and waits until the guest has it: on SCSI and USB where the machine has such a
   * disk already, and in one of its `slots`. The next boot has the disks of the machine's value again.
   */
  async attachDisk(
    disk: DiskSpec,
    { signal = AbortSignal.timeout(bootLimitMs) }: AttachOptions = {},
  ): Promise<void> {
    const { bay } = this.#running();
    const file = resolve(diskFile(disk, this.directory));
    await ensureDisk(file, disk.sizeBytes);
    await bay.plug(disk, file);
    this.#disks = [...this.#disks, disk];
    this.#devices = await findDevices(this, this.#disks, signal);
  }

  /** Pulls a disk out of the running machine, whatever is on it, and waits until the guest has let go. Its file stays. */
  async detachDisk(serial: string): Promise<void> {
    const disk = this.#disk(this.#disks, serial);
    await this.#running().bay.unplug(disk);
    this.#disks = this.#disks.filter((other) => other !== disk);
    this.#devices = new Map([...this.#devices].filter(([other]) => other !== serial));
  }

  /** Ends QEMU at once. What the guest had written but not flushed may or may not be in the disk files. */
  async kill(): Promise<void> {
    const powered = this.#powered;
    this.#powered = undefined;
    powered?.kill();
    await powered?.stopped;
  }

  /** Ends everything inside in order, syncs, and waits until the machine is off. */
  async powerOff(): Promise<void> {
    const powered = this.#powered;
    if (powered === undefined) return;
    await keepCompileCache(this);
    powered.session.powerOff();
    await powered.stopped;
    this.#powered = undefined;
  }

  /** Resolves when the machine is off, for whatever reason. */
  async stopped(): Promise<void> {
    await this.#powered?.stopped;
  }

  /** Kills the machine; a temporary state directory is removed. */
  async close(): Promise<void> {
    await this.kill();
    if (this.#temporary) await rm(this.directory, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #running(): PoweredMachine {
    if (this.#powered !== undefined) return this.#powered;
    throw new RigError('ERR_RIG_STOPPED', this.spec.name, 'the machine is off');
  }

  #disk(disks: readonly DiskSpec[], serial: string): DiskSpec {
    const disk = disks.find((each) => each.serial === serial);
    if (disk !== undefined) return disk;
    throw new RigError('ERR_RIG_DISK', this.spec.name, `no disk with serial ${serial}`);
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
