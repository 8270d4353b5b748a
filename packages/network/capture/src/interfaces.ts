import { interfaces as list, type NetworkInterface } from '@nodecore/native';

import { CaptureError } from './errors.ts';
import { linkTypeOf, linkTypes, type LinkType } from './link-type.ts';

/** Every interface at once, under the kernel's cooked header. */
export const anyInterface = 'any';

/** What packets are taken from. */
export type CaptureInterface = {
  readonly name: string;
  /** The kernel's index; 0 for `any`. */
  readonly index: number;
  readonly linkType: LinkType;
  readonly loopback: boolean;
  readonly up: boolean;
};

/** Of what was asked for, in a message; the kernel's names are shorter (IFNAMSIZ). */
const longestName = 64;

// netdevice(7)
const IFF_UP = 0x1;
const IFF_LOOPBACK = 0x8;

/** The interfaces of this network namespace, `any` last. Needs no privileges. */
export function interfaces(): readonly CaptureInterface[] {
  const any = { name: anyInterface, index: 0, linkType: linkTypes.sll2, loopback: false, up: true };
  return [...list().map(toInterface), any];
}

/** @throws {CaptureError} `ERR_CAPTURE_INTERFACE`, which lists the interfaces. */
export function findInterface(name: string): CaptureInterface {
  const all = interfaces();
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const available = all.map((one) => one.name);
  throw new CaptureError(
    'ERR_CAPTURE_INTERFACE',
    `no interface ${name.slice(0, longestName)}; there are ${available.join(', ')}`,
    {
      available,
    },
  );
}

function toInterface({ name, index, hardwareType, flags }: NetworkInterface): CaptureInterface {
  return {
    name,
    index,
    linkType: linkTypeOf(hardwareType),
    loopback: (flags & IFF_LOOPBACK) !== 0,
    up: (flags & IFF_UP) !== 0,
  };
}
