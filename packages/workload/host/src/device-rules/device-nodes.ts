import { chmod, chown, lstat, mkdir, readFile, readlink, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { codeOf, renameInterface, SystemCallError } from '@nodecore/sys';

import { HostError } from '../errors.ts';
import type { Originals } from '../originals.ts';
import { allDevices, type Device } from './device.ts';
import { type DeviceAction, type DeviceRule, isAbout, substituted } from './rule.ts';

/** How a rule does: the devices that it is about, and why it is not fulfilled for one of them. */
export type DeviceRuleStatus = {
  readonly rule: string;
  /** By the names that they have now. */
  readonly devices: readonly string[];
  readonly error: HostError | undefined;
};

export type DeviceNodesParts = {
  /** Lies where nothing outlives the boot: neither do the nodes. */
  readonly originals: Originals;
  readonly sysfs?: string;
  readonly dev?: string;
  /** Where users and groups have their numbers. */
  readonly etc?: string;
  readonly renameInterface?: (name: string, next: string) => Promise<void>;
};

/** What the rules together want, and which rule says it. */
type Wanted = {
  readonly nodes: Map<string, { mode?: number; uid?: number; gid?: number; rule: number }>;
  /** Target by name, both below the directory of nodes. */
  readonly links: Map<string, { readonly target: string; readonly rule: number }>;
  /** Next name by present name. */
  readonly names: Map<string, { readonly next: string; readonly rule: number }>;
};

type NodeRights = { readonly mode: number; readonly uid: number; readonly gid: number };

/**
 * Permissions and links of device nodes and names of interfaces, as rules in the words of udev want them, on a machine without
 * udevd: rules are about the devices that there are when they are applied. What nobody wants any more is given back.
 */
export class DeviceNodes {
  readonly #originals: Originals;
  readonly #sysfs: string;
  readonly #dev: string;
  readonly #etc: string;
  readonly #rename: (name: string, next: string) => Promise<void>;

  constructor(parts: DeviceNodesParts) {
    this.#originals = parts.originals;
    this.#sysfs = parts.sysfs ?? '/sys';
    this.#dev = parts.dev ?? '/dev';
    this.#etc = parts.etc ?? '/etc';
    this.#rename = parts.renameInterface ?? renameInterface;
  }

  /** Makes all devices so, of several rules for one the later counts; a rule that fails keeps no other from being fulfilled. */
  async apply(rules: readonly DeviceRule[]): Promise<readonly DeviceRuleStatus[]> {
    const originals = await this.#originals.all();
    if (rules.length === 0 && originals.size === 0) return [];
    const statuses = rules.map(
      ({ text }): { rule: string; devices: string[]; error: HostError | undefined } => ({
        rule: text,
        devices: [],
        error: undefined,
      }),
    );
    const note = async (
      rule: number | undefined,
      subject: string,
      act: () => Promise<void>,
    ): Promise<void> => {
      const error = await failureOf(subject, act);
      const status = rule === undefined ? undefined : statuses[rule];
      if (status !== undefined) status.error ??= error;
    };
    const renamed = new Map(keysOf(originals, 'name').map(([name, former]) => [name, former]));
    const devices = rules.length === 0 ? [] : await allDevices(this.#sysfs, renamed);
    const wanted: Wanted = { nodes: new Map(), links: new Map(), names: new Map() };
    for (const [index, rule] of rules.entries())
      for (const device of devices) {
        if (!(await isAbout(rule, device))) continue;
        statuses[index]?.devices.push(device.name);
        for (const action of rule.actions)
          await note(index, device.name, () => this.#want(wanted, device, action, index));
      }
    for (const [name, target] of keysOf(originals, 'link'))
      if (wanted.links.get(name)?.target !== target)
        await note(undefined, name, () => this.#unlink(name, target));
    for (const [node, rights] of keysOf(originals, 'node'))
      if (!wanted.nodes.has(node)) await note(undefined, node, () => this.#giveBack(node, rights));
    for (const [name, former] of keysOf(originals, 'name'))
      if (!wanted.names.has(name)) await note(undefined, name, () => this.#nameBack(name, former));
    for (const [node, { rule, ...rights }] of wanted.nodes)
      await note(rule, node, () => this.#own(node, rights));
    for (const [name, { target, rule }] of wanted.links)
      await note(rule, name, () => this.#link(name, target));
    for (const [name, { next, rule }] of wanted.names) await note(rule, name, () => this.#name(name, next));
    return statuses;
  }

  async #want(wanted: Wanted, device: Device, { key, value }: DeviceAction, rule: number): Promise<void> {
    const isInterface = (await device.subsystem) === 'net';
    if (key === 'NAME') {
      if (!isInterface) throw new HostError('ERR_HOST_VALUE', device.name, 'only interfaces are renamed');
      const next = await substituted(value, device);
      if (!/^[\w.-]{1,15}$/u.test(next) || /^\.\.?$/u.test(next))
        throw new HostError('ERR_HOST_NAME', device.name, `${next} is no name of an interface`);
      wanted.names.set(device.name, { next, rule });
      return;
    }
    const node = await device.announced('DEVNAME');
    if (node === undefined) throw new HostError('ERR_HOST_VALUE', device.name, 'has no node in /dev');
    if (key === 'SYMLINK') {
      for (const word of value.split(' ')) {
        const name = await substituted(word, device);
        if (name.split('/').some((part) => part === '' || part === '.' || part === '..'))
          throw new HostError('ERR_HOST_NAME', device.name, `${name} is no path below /dev`);
        wanted.links.set(name, { target: node, rule });
      }
      return;
    }
    const before = wanted.nodes.get(node);
    const right =
      key === 'MODE'
        ? { mode: Number.parseInt(value, 8) }
        : key === 'OWNER'
          ? { uid: await this.#numberOf(value, 'passwd') }
          : { gid: await this.#numberOf(value, 'group') };
    wanted.nodes.set(node, { ...before, ...right, rule });
  }

  async #numberOf(name: string, file: 'passwd' | 'group'): Promise<number> {
    if (/^\d+$/u.test(name)) return Number(name);
    const lines = (await readFile(join(this.#etc, file), 'utf8')).split('\n').map((line) => line.split(':'));
    const number = lines.find(([each]) => each === name)?.[2];
    if (number === undefined || !/^\d+$/u.test(number))
      throw new HostError('ERR_HOST_VALUE', name, `is not in /etc/${file}: give its number`);
    return Number(number);
  }

  async #own(node: string, { mode, uid, gid }: Partial<NodeRights>): Promise<void> {
    const path = join(this.#dev, node);
    const now = await rightsOf(path, node);
    const next = { mode: mode ?? now.mode, uid: uid ?? now.uid, gid: gid ?? now.gid };
    if (JSON.stringify(next) === JSON.stringify(now)) return;
    await this.#originals.remember(`node ${node}`, JSON.stringify(now));
    await setRights(path, next);
  }

  async #giveBack(node: string, rights: string): Promise<void> {
    const path = join(this.#dev, node);
    const { mode, uid, gid } = JSON.parse(rights) as NodeRights;
    const isThere = (await failureOf(node, async () => void (await rightsOf(path, node)))) === undefined;
    if (isThere) await setRights(path, { mode, uid, gid });
    await this.#originals.forget(`node ${node}`);
  }

  async #link(name: string, node: string): Promise<void> {
    const path = join(this.#dev, name);
    const target = relative(dirname(path), join(this.#dev, node));
    const standing = await readlink(path).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
      if (codeOf(error) === 'EINVAL')
        throw new HostError('ERR_HOST_OCCUPIED', name, 'something else stands there');
      throw error;
    });
    const isOurs = (await this.#originals.all()).get(`link ${name}`) === node;
    if (standing === target) return;
    if (standing !== undefined && !isOurs)
      throw new HostError('ERR_HOST_OCCUPIED', name, `a link to ${standing} stands there`);
    await this.#makeParents(name);
    await this.#originals.remember(`link ${name}`, node);
    const part = `${path}.part`;
    await rm(part, { force: true }); // left by a crash
    await symlink(target, part);
    await rename(part, path);
  }

  /** A parent that is a link, or no directory, leads nowhere. */
  async #makeParents(name: string): Promise<void> {
    const parts = name.split('/').slice(0, -1);
    for (let count = 1; count <= parts.length; count++) {
      const path = join(this.#dev, ...parts.slice(0, count));
      const standing = await lstat(path).catch(() => undefined);
      if (standing === undefined) await mkdir(path, { mode: 0o755 });
      else if (!standing.isDirectory())
        throw new HostError('ERR_HOST_OCCUPIED', name, `${path} is no directory`);
    }
  }

  async #unlink(name: string, node: string): Promise<void> {
    const path = join(this.#dev, name);
    const target = relative(dirname(path), join(this.#dev, node));
    const standing = await readlink(path).catch(() => undefined);
    if (standing === target) await rm(path);
    for (let parent = dirname(name); parent !== '.'; parent = dirname(parent))
      if (
        !(await rmdir(join(this.#dev, parent)).then(
          () => true,
          () => false,
        ))
      )
        break; // others have something in it
    await this.#originals.forget(`link ${name}`);
  }

  async #name(name: string, next: string): Promise<void> {
    if (name === next) return;
    const first = (await this.#originals.all()).get(`name ${name}`) ?? name;
    await this.#originals.remember(`name ${next}`, first);
    try {
      await this.#rename(name, next);
    } catch (error) {
      await this.#originals.forget(`name ${next}`);
      if (error instanceof SystemCallError && error.errno === 'EBUSY')
        throw new HostError(
          'ERR_HOST_OCCUPIED',
          name,
          'the interface is up: this kernel renames only what is down',
        );
      throw error;
    }
    if (first !== name) await this.#originals.forget(`name ${name}`);
  }

  async #nameBack(name: string, former: string): Promise<void> {
    try {
      await this.#rename(name, former);
    } catch (error) {
      if (!(error instanceof SystemCallError) || error.errno !== 'ENODEV') throw error;
    }
    await this.#originals.forget(`name ${name}`);
  }
}

/** Entries of one kind, without the word that tells them apart. */
function keysOf(originals: ReadonlyMap<string, string>, kind: string): [string, string][] {
  return [...originals].flatMap(([key, text]): [string, string][] =>
    key.startsWith(`${kind} `) ? [[key.slice(kind.length + 1), text]] : [],
  );
}

async function rightsOf(path: string, node: string): Promise<NodeRights> {
  const facts = await lstat(path);
  if (!facts.isBlockDevice() && !facts.isCharacterDevice())
    throw new HostError('ERR_HOST_OCCUPIED', node, 'is no device');
  return { mode: facts.mode & 0o7777, uid: facts.uid, gid: facts.gid };
}

/** Nobody has more than both in between. */
async function setRights(path: string, { mode, uid, gid }: NodeRights): Promise<void> {
  const { mode: before } = await lstat(path);
  await chmod(path, mode & before & 0o777);
  await chown(path, uid, gid);
  await chmod(path, mode);
}

async function failureOf(subject: string, act: () => Promise<void>): Promise<HostError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof HostError) return error;
    const code = error instanceof SystemCallError ? error.errno : codeOf(error);
    if (code === undefined) throw error;
    return new HostError('ERR_HOST_FAILED', subject, `the kernel refuses: ${code}`, { cause: error });
  }
}
