import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { identifiesNobody } from '@nodecore/keys';

import { ethernetInterfaces } from '../dhcp/dhcp.ts';

/** The interfaces of the machine. */
const network = '/sys/class/net';

/**
 * What tells the machine from others while nobody has named it: its UUID; where the firmware has none, or one that it shows on every
 * board, the lowest address of its network cards. Machines that have neither are all the same.
 *
 * @param directory of the kernel; another one in tests.
 */
export async function ownIdentity(uuid: string = '', directory: string = network): Promise<string> {
  if (!identifiesNobody(uuid)) return uuid;
  const names = await ethernetInterfaces(directory);
  const addresses = await Promise.all(names.map((name) => permanentAddress(join(directory, name))));
  return addresses.filter((address) => address !== undefined).toSorted()[0] ?? uuid;
}

/** NET_ADDR_PERM of linux/netdevice.h: the card has it, and nobody else. Others are made up anew at each boot. */
const permanent = '0';

/** Undefined for another kind of address, and for a card that was taken out meanwhile. */
async function permanentAddress(directory: string): Promise<string | undefined> {
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8');
  try {
    return (await read('addr_assign_type')).trim() === permanent ? (await read('address')).trim() : undefined;
  } catch {
    return undefined;
  }
}
