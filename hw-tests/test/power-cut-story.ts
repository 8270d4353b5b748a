import { createHash } from 'node:crypto';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeSystemDisk } from '@nodecore/clusters';
import { consoleFile, type MachineSpec } from '@nodecore/machine';
import { buildRelease } from '@nodecore/release';
import { systemClock } from '@nodecore/waiting';

import { cheapKeys } from '../src/node/boot-files.ts';
import { directBoot, nodeImage } from '../src/node-image.ts';
import { CutNode } from '../src/power-cut/cut-node.ts';
import type { Loss } from '../src/power-cut/lose-power.ts';
import { first, second, type ServicePlaces } from '../src/system/places.ts';
import { Programs } from '../src/system/programs.ts';
import {
  factoryUrl,
  secureBootKeys,
  startFactory,
  startFleet,
  submit,
  untilInFleet,
} from '../src/system/services.ts';
import { freePort } from './agent-node.ts';
import {
  bootImage,
  configurationFile,
  directMachineSpec,
  machineSpec,
  writeConfiguration,
} from './power-cut-node.ts';
import { downloaded, flushedAfter, kinds, killedBuild, type Seen, seenByFactory } from './power-cut-steps.ts';

const diskBytes = 6 * 2 ** 30;
const smallDiskBytes = 2 * 2 ** 30;
const gateway = '10.0.2.2'; // of QEMU's own network
const pollMs = 500;
/** So many requests before the rename are looked at as well. */
const writesBefore = 24;

type Means = {
  readonly random: () => number;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
};

/** One node from the release it is built of to its upgrade, with the power cut at a random moment of each step. */
export class CutStory implements AsyncDisposable {
  readonly #places: ServicePlaces;
  readonly #programs: Programs;
  readonly #means: Means;
  readonly #port: number;
  readonly #owned = new AsyncDisposableStack();
  #node: CutNode | undefined;
  #imageBytes = 0;
  /** QEMU loads its kernel, which says everything on the console. */
  #isDirect = false;
  schematic = '';

  private constructor(places: ServicePlaces, port: number, means: Means) {
    this.#places = places;
    this.#port = port;
    this.#means = means;
    this.#programs = new Programs(join(places.directory, 'home'), means.signal);
  }

  /** Builds the release that the node begins with, and puts it where a factory finds it. */
  static async begin(directory: string, means: Means): Promise<CutStory> {
    const story = await CutStory.beginDirectly(directory, means);
    const built = await buildRelease({ version: first });
    await cp(built.directory, join(story.#places.releases, first), { recursive: true });
    return story;
  }

  /** For a node that needs no factory. */
  static async beginDirectly(directory: string, means: Means): Promise<CutStory> {
    const places = {
      directory,
      releases: join(directory, 'releases'),
      gateway,
      fleetPort: await freePort(),
      factoryPort: await freePort(),
    };
    for (const name of ['home', 'fleet', 'releases', 'node'])
      await mkdir(join(directory, name), { mode: 0o700 });
    return new CutStory(places, await freePort(), means);
  }

  /** The entry that the factory's image begins with. */
  readonly firstEntry = 'nodeos-1.14.0~alpha.0-1.efi';

  /** Kills a build of the second release at a random moment. @returns what a factory makes of what is there */
  async cutReleaseBuild(): Promise<Seen> {
    const { releases, directory } = this.#places;
    const cut = await killedBuild(join(releases, second), second, this.#means);
    this.#means.log(`release: killed ${cut}`);
    return await seenByFactory(releases, join(directory, 'first-factory'));
  }

  /** Builds it again, to its end. */
  async finishReleaseBuild(): Promise<void> {
    await buildRelease({ version: second, output: join(this.#places.releases, second) });
  }

  /** Fleet manager, factory, and the disk of the node. */
  async serve(): Promise<void> {
    const keys = await secureBootKeys(this.#programs, this.#places);
    this.#owned.use(await startFleet(this.#programs, this.#places));
    this.#owned.use(await startFactory(this.#programs, this.#places, keys));
    const document = await this.#programs.run('fleetctl', 'jointoken', 'machine-config');
    this.schematic = await submit(this.#places, document);
    const disk = join(this.#places.directory, 'node.raw');
    const url = `${factoryUrl(this.#places)}/image/${this.schematic}/${first}/metal-amd64-secureboot.raw`;
    this.#imageBytes = await downloaded(url, disk, diskBytes, this.#means.signal);
    await this.#plug(machineSpec(this.#port, diskBytes), disk);
  }

  /** Fleet manager, and a node whose kernel QEMU loads: no firmware, boot menu and factory. */
  async serveDirectly(): Promise<void> {
    this.#owned.use(await startFleet(this.#programs, this.#places));
    const document = await this.#programs.run('fleetctl', 'jointoken', 'machine-config');
    const image = await nodeImage({ 'system/embedded-config.yaml': document }, { extraArguments: cheapKeys });
    const boot = await directBoot(this.#places.directory, image);
    const disk = join(this.#places.directory, 'node.raw');
    await makeSystemDisk(disk, { sizeBytes: smallDiskBytes }, 'power cut');
    this.#isDirect = true;
    await this.#plug(directMachineSpec(this.#port, smallDiskBytes, boot), disk);
  }

  async #plug(spec: MachineSpec, disk: string): Promise<void> {
    this.#node = new CutNode(spec, { directory: join(this.#places.directory, 'node'), disk });
    this.#owned.use(this.#node);
    await writeConfiguration(this.#programs, this.#places, this.#port);
  }

  async powerOn(): Promise<void> {
    await this.#on.powerOn();
  }

  /** Between the first word of the firmware and the first of the agent. */
  async cutFirstBoot(): Promise<void> {
    await this.powerOn();
    const bytes = Math.floor(this.#means.random() * 8000);
    const console = join(this.#on.directory, consoleFile);
    let text = '';
    while (text.length < bytes && !text.includes('nodecore:')) {
      await systemClock.sleep(50, this.#means.signal);
      text = await readFile(console, 'latin1').catch(() => '');
    }
    this.#say('first boot', `${text.length} bytes of its console`, await this.#on.cut(this.#means.random));
  }

  /** While the node makes its identity and gives it to the fleet. */
  async cutJoin(): Promise<void> {
    await this.powerOn();
    await using record = await this.#on.follow();
    const most = 1 + Math.floor(this.#means.random() * 8);
    const log = join(this.#places.directory, 'fleet.log');
    const joined = async (): Promise<boolean> => (await readFile(log, 'utf8')).includes('machine connected');
    for (;;) {
      const writes = (await record.read()).filter(({ length }) => length > 0).length;
      if (writes >= most || (await joined())) break;
      await systemClock.sleep(5, this.#means.signal);
    }
    const where = (await joined()) ? 'it is in the fleet' : `before the fleet knows it`;
    this.#say('join', `${most} writes or the fleet: ${where}`, await this.#on.cut(this.#means.random));
  }

  /** Waits for maintenance. @returns the schematic that the node shows to anybody */
  async untilMaintenance(): Promise<string> {
    await this.powerOn();
    for (;;) {
      const { stdout } = await this.#ask('get', 'extensions', '--insecure');
      const found = /[\da-f]{64}/.exec(stdout)?.[0];
      if (found !== undefined) return found;
      await systemClock.sleep(pollMs, this.#means.signal);
    }
  }

  /** Cuts while the configuration is kept: volume, key, file system, file. @returns whether the node had promised to keep it */
  async cutApply(): Promise<boolean> {
    await using record = await this.#on.follow();
    const before = (await record.read()).length;
    const most = 1 + Math.floor(this.#means.random() * 400);
    const { promise, resolve } = Promise.withResolvers<void>();
    let isApplied = false;
    const apply = async (): Promise<void> => {
      isApplied = (await this.#tryApply()).code === 0;
      resolve();
    };
    const applying = apply();
    const ended = new AbortController();
    const either = AbortSignal.any([ended.signal, this.#means.signal]);
    const written = record.until((entries) => entries.length - before >= most, either).catch(() => {});
    await Promise.race([promise, written]);
    const wasApplied = isApplied;
    const loss = await this.#on.cut(this.#means.random);
    ended.abort();
    this.#say('configuration', wasApplied ? 'it was promised to be kept' : `${most} requests`, loss);
    await applying;
    await this.powerOn();
    return wasApplied;
  }

  /** Waits until the node answers, to its administrator or to anybody. */
  async untilAnswers(): Promise<'configured' | 'maintenance'> {
    if (this.#isDirect) await this.#untilReady();
    for (;;) {
      if ((await this.#ask('version')).code === 0) return 'configured';
      const { stdout } = await this.#ask('version', '--insecure');
      if (stdout.includes('waiting for its first configuration')) return 'maintenance';
      await systemClock.sleep(pollMs, this.#means.signal);
    }
  }

  /** By its console, since each question starts a program beside the emulated processor. */
  async #untilReady(): Promise<void> {
    const console = join(this.#on.directory, consoleFile);
    for (let said = ''; !/maintenance: waiting|configuration is active/.test(said);) {
      await systemClock.sleep(pollMs, this.#means.signal);
      said = await readFile(console, 'latin1').catch(() => '');
    }
  }

  /** Gives the node its configuration until it has it: an answer may come too late on a busy computer. */
  async apply(): Promise<void> {
    while ((await this.untilAnswers()) !== 'configured') {
      const { code, stderr } = await this.#tryApply();
      if (code !== 0) this.#means.log(`apply-config: ${stderr.trim()}`);
      await systemClock.sleep(pollMs, this.#means.signal);
    }
  }

  /** What the node says that its configuration is; secrets are left out of it. */
  async configuration(): Promise<string> {
    return kinds((await this.#ask('get', 'machineconfigs', '-o', 'yaml')).stdout);
  }

  /** What it has to be. */
  async appliedConfiguration(): Promise<string> {
    return kinds(await readFile(configurationFile(this.#places), 'utf8'));
  }

  /** Waits for the first. @returns ids of all machines that the fleet has ever seen */
  async fleetMachines(): Promise<readonly string[]> {
    return await untilInFleet(this.#programs, 1, this.#means.signal);
  }

  /** Waits until the node answers through the fleet. */
  async untilThroughFleet(): Promise<void> {
    await this.#programs.run('fleetctl', 'osconfig');
    const [id = ''] = await this.fleetMachines();
    while ((await this.#programs.try('osctl', '--context', 'fleet', '-n', id, 'version')).code !== 0)
      await systemClock.sleep(pollMs, this.#means.signal);
  }

  /** Cuts around the rename of an upgrade's entry. @returns the place in the record from which on it was under way */
  async cutEntryRename(): Promise<number> {
    await using record = await this.#on.follow();
    const before = (await record.read()).length;
    const uki = await bootImage(this.#places, this.schematic, second, this.#means.signal);
    const more = Math.floor(this.#means.random() * 12);
    const image = `${gateway}:${this.#places.factoryPort}/metal-installer-secureboot/${this.schematic}:${second}`;
    let isEnded = false;
    const upgrading = this.#upgrade(image).then(() => (isEnded = true));
    let from = -1;
    let wanted = Infinity;
    await record.until((entries) => {
      if (from < 0) from = flushedAfter(entries, before, { bytes: uki.length, endBytes: this.#imageBytes });
      if (from >= 0) wanted = from + more;
      return isEnded || entries.length > wanted;
    }, this.#means.signal);
    const loss = await this.#on.cut(this.#means.random);
    this.#say(
      'entry',
      from < 0 ? 'the upgrade had ended' : `${more} requests behind the flush of its bytes`,
      loss,
    );
    await upgrading;
    return Math.max(from - writesBefore, before);
  }

  /** Hex SHA-256 of the signed boot image of each version. */
  async promisedUkis(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const version of [first, second]) {
      const uki = await bootImage(this.#places, this.schematic, version, this.#means.signal);
      found.set(version, createHash('sha256').update(uki).digest('hex'));
    }
    return found;
  }

  /** The record of the last start, of its boot partition. */
  get recorded() {
    const { base, record, deviceBytes } = this.#on;
    return { base, record, deviceBytes, endBytes: this.#imageBytes };
  }

  async bootedVersion(): Promise<string> {
    const { stdout } = await this.#ask('get', 'bootedentry', '-o', 'json');
    return /1\.14\.0~alpha\.\d/.exec(stdout)?.[0] ?? stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }

  get #on(): CutNode {
    if (this.#node === undefined) throw new TypeError('nothing is served yet');
    return this.#node;
  }

  #say(what: string, moment: string, { writes, unflushed, lost }: Loss): void {
    const cost = `${writes} writes of this start, ${unflushed} not flushed, ${lost} lost`;
    this.#means.log(`${what}: cut at ${moment}; ${cost}`);
  }

  #ask(...words: string[]) {
    const osconfig = join(this.#places.directory, 'osconfig');
    return this.#programs.try('osctl', '--osconfig', osconfig, '-n', `127.0.0.1:${this.#port}`, ...words);
  }

  #tryApply() {
    return this.#ask('apply-config', '--insecure', '--file', configurationFile(this.#places));
  }

  /** Tries until the node has the volume that it pulls into, and begins. */
  async #upgrade(image: string): Promise<void> {
    for (let told = ''; ;) {
      const { code, stderr } = await this.#ask('upgrade', '--image', image, '--no-reboot');
      if (code === 0 || stderr.includes('writes ')) return;
      const last = stderr.trim().split('\n').at(-1) ?? '';
      if (last !== told) this.#means.log(`upgrade: ${last}`);
      told = last;
      await systemClock.sleep(2000, this.#means.signal);
    }
  }
}
