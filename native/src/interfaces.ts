import { addon } from './addon.ts';
import { translated } from './errors.ts';
import type { AddonInterface } from './packet-addon.ts';

/**
 * A network interface: `hardwareType` is ARPHRD_… of linux/if_arp.h, `flags` are IFF_… of netdevice(7), `mtu` is in
 * bytes.
 */
export type NetworkInterface = AddonInterface;

/** The interfaces of this process's network namespace. Needs no privileges. */
export function interfaces(): readonly NetworkInterface[] {
  return translated('the network interfaces', () => addon().interfaces());
}
