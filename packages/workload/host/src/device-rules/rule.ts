import { HostError } from '../errors.ts';
import type { Device } from './device.ts';
import { matchesGlob } from './glob.ts';

/** What a device must be for a rule: `KERNEL=="sd*"`, `ATTRS{idVendor}!="1d6b"`. */
export type DeviceMatch = {
  readonly key: string;
  /** In the braces. */
  readonly attribute?: string;
  readonly equal: boolean;
  readonly pattern: string;
};

/** What is done to a device that matches. */
export type DeviceAction = {
  readonly key: 'OWNER' | 'GROUP' | 'MODE' | 'SYMLINK' | 'NAME';
  readonly value: string;
};

/** A rule in the words of udev. */
export type DeviceRule = {
  readonly text: string;
  readonly matches: readonly DeviceMatch[];
  readonly actions: readonly DeviceAction[];
};

/** Keys that one device above, or the device itself, has to satisfy together. */
const ofParents: ReadonlySet<string> = new Set(['KERNELS', 'SUBSYSTEMS', 'DRIVERS', 'ATTRS']);

/** Whether a rule is about a device. A device that is there was added: there is no other action. */
export async function isAbout({ matches }: DeviceRule, device: Device): Promise<boolean> {
  const own = matches.filter(({ key }) => !ofParents.has(key));
  if (!(await allHold(own, device))) return false;
  const above = matches.filter(({ key }) => ofParents.has(key));
  if (above.length === 0) return true;
  for (const each of [device, ...device.parents]) if (await allHold(above, each)) return true;
  return false;
}

async function allHold(matches: readonly DeviceMatch[], device: Device): Promise<boolean> {
  for (const match of matches) {
    const value = await valueOf(match, device);
    if (match.equal !== (value !== undefined && matchesGlob(match.pattern, value))) return false;
  }
  return true;
}

async function valueOf({ key, attribute = '' }: DeviceMatch, device: Device): Promise<string | undefined> {
  switch (key) {
    case 'ACTION':
      return 'add';
    case 'DEVPATH':
      return `/${device.path}`;
    case 'KERNEL':
    case 'KERNELS':
      return device.kernelName;
    case 'SUBSYSTEM':
    case 'SUBSYSTEMS':
      return await device.subsystem;
    case 'DRIVER':
    case 'DRIVERS':
      return await device.driver;
    case 'ENV':
      return await device.announced(attribute);
    default:
      return await device.attribute(attribute);
  }
}

const substitution =
  /\$(?:(?<word>\$|kernel|number|devpath|major|minor|name)|(?<reader>attr|env)\{(?<field>[^}]+)\})|%(?:(?<letter>[%knpMm])|(?<short>[sE])\{(?<of>[^}]+)\})|[$%]/gu;
const longWords: Readonly<Record<string, string>> = {
  '%': '%',
  k: 'kernel',
  n: 'number',
  p: 'devpath',
  M: 'major',
  m: 'minor',
};

/**
 * The value of an action for a device: `disk/%k`, `serial-$attr{serial}`. What comes from the device is made harmless: letters that
 * a path of `/dev` does not have become `_`.
 *
 * @throws {HostError} `ERR_HOST_VALUE` for a word that there is not.
 */
export async function substituted(value: string, device: Device): Promise<string> {
  let out = '';
  let at = 0;
  for (const found of value.matchAll(substitution)) {
    const { word, reader, field = '', letter, short, of = '' } = found.groups ?? {};
    const name = word ?? (letter === undefined ? undefined : longWords[letter]);
    const read = reader ?? (short === 's' ? 'attr' : short === 'E' ? 'env' : undefined);
    let text: string | undefined;
    if (read !== undefined)
      text = await (read === 'attr' ? device.attribute(field || of) : device.announced(field || of));
    else if (name !== undefined) text = await wordOf(name, device);
    else throw new HostError('ERR_HOST_VALUE', value, `${found[0]} stands for nothing`);
    const isLetter = name === '$' || name === '%';
    out += value.slice(at, found.index) + (isLetter ? name : harmless(text ?? ''));
    at = found.index + found[0].length;
  }
  return out + value.slice(at);
}

async function wordOf(name: string, device: Device): Promise<string | undefined> {
  switch (name) {
    case 'number':
      return /\d*$/u.exec(device.kernelName)?.[0];
    case 'devpath':
      return `/${device.path}`;
    case 'major':
    case 'minor':
      return await device.announced(name.toUpperCase());
    case 'name':
      return device.name;
    case 'kernel':
      return device.kernelName;
    default:
      return name; // $$ and %%
  }
}

function harmless(text: string): string {
  return text.trim().replace(/[^\w#+\-.:=@/]/gu, '_');
}
