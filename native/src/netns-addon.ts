import type { AddonHandle } from './addon-handle.ts';

/** A connection on its way. */
export type AddonConnection = AddonHandle & {
  /** The descriptor, once it can be waited for no more. */
  take(): number;
};

/** What the addon has for sockets of other network namespaces. An empty user namespace is none; results are descriptors. */
export type NetnsAddon = {
  /** Takes the descriptor over. */
  readonly Connection: new (fd: number) => AddonConnection;
  listenIn(network: string, user: string, address: string, port: number): Promise<number>;
  dialIn(network: string, user: string, address: string, port: number): Promise<number>;
  datagramIn(network: string, user: string, isIpv6: boolean): Promise<number>;
};
