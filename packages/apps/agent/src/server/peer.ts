import { isIPv6 } from 'node:net';

/** Who calls: `10.0.0.1:51000`, or `[fd00::1]:51000`, which gRPC writes without the brackets that tell the port from the address. */
export function peerOf(call: { getPeer(): string }): string {
  const peer = call.getPeer();
  const [, address = '', port = ''] = /^(.*):(\d+)$/.exec(peer) ?? [];
  return isIPv6(address) ? `[${address}]:${port}` : peer;
}

/** The address of a peer, as {@link peerOf} or gRPC has it. */
export function hostOf(peer: string): string {
  return /^\[?(.*?)\]?:\d+$/.exec(peer)?.[1] ?? peer;
}
