import { readdir, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

import { Beneath, codeOf, SystemCallError } from '@nodecore/sys';

/** A device as sysfs has it. What is read of it is kept: one look is about one moment. */
export class Device {
  /** Below `/sys`: `devices/pci0000:00/…/block/vda`. */
  readonly path: string;
  /** What the kernel has called it; an interface may have another name since. */
  readonly kernelName: string;
  readonly #files: Beneath;
  readonly #read = new Map<string, Promise<string | undefined>>();

  constructor(files: Beneath, path: string, kernelName: string = basename(path)) {
    this.#files = files;
    this.path = path;
    this.kernelName = kernelName;
  }

  /** What it is called now. */
  get name(): string {
    return basename(this.path);
  }

  /** `block`, `net`, `tty`; undefined for a directory that is no device. */
  get subsystem(): Promise<string | undefined> {
    return this.#link('subsystem');
  }

  get driver(): Promise<string | undefined> {
    return this.#link('driver');
  }

  /** An attribute, without the blanks at its end; undefined where there is none, or it can not be read. */
  async attribute(name: string): Promise<string | undefined> {
    if (name.split('/').some((part) => part === '' || part === '.' || part === '..')) return undefined;
    return await this.#once(`attribute ${name}`, async () =>
      (await this.#files.read(`${this.path}/${name}`)).trimEnd(),
    );
  }

  /** What the kernel announces of it, such as `DEVNAME`. */
  async announced(key: string): Promise<string | undefined> {
    const text = (await this.attribute('uevent')) ?? '';
    const line = text.split('\n').find((each) => each.startsWith(`${key}=`));
    return line?.slice(key.length + 1);
  }

  /** Those above it, the nearest first. */
  get parents(): readonly Device[] {
    const parents: Device[] = [];
    for (let path = dirname(this.path); path !== 'devices' && path !== '.'; path = dirname(path))
      parents.push(new Device(this.#files, path));
    return parents;
  }

  async #link(name: string): Promise<string | undefined> {
    return await this.#once(`link ${name}`, async () =>
      basename(await readlink(join(this.#files.directory, this.path, name))),
    );
  }

  async #once(key: string, read: () => Promise<string>): Promise<string | undefined> {
    const known = this.#read.get(key) ?? read().catch(nothing);
    this.#read.set(key, known);
    return await known;
  }
}

/** Every device with a node, and every network interface. @param kernelNames of interfaces that have another name now, by that. */
export async function allDevices(sysfs: string, kernelNames: ReadonlyMap<string, string>): Promise<Device[]> {
  const files = new Beneath(sysfs, { followLinks: true });
  const root = await realpath(sysfs);
  const devices = new Map<string, Device>();
  for (const place of ['dev/block', 'dev/char', 'class/net']) {
    const names: string[] = await readdir(join(sysfs, place)).catch(() => []);
    for (const name of names.toSorted()) {
      const target = await realpath(join(sysfs, place, name)).catch(nothing);
      if (target === undefined) continue; // it has gone
      const path = relative(root, target);
      const kernelName = place === 'class/net' ? kernelNames.get(name) : undefined;
      devices.set(path, new Device(files, path, kernelName));
    }
  }
  return [...devices.values()];
}

function nothing(error: unknown): undefined {
  if (!(error instanceof SystemCallError) && codeOf(error) === undefined) throw error;
}
