import { ipProtocolName } from '../names.ts';

/** The inside of a fragment that is not the first, with the ports of its datagram where that was seen. */
export type Fragment = {
  readonly protocol: 'fragment';
  readonly protocolNumber: number;
  readonly length: number;
  readonly sourcePort?: number;
  readonly destinationPort?: number;
};

/** `udp fragment, length 100`. */
export function fragmentLine({ protocolNumber, length }: Fragment): string {
  return `${ipProtocolName(protocolNumber) ?? `ip-proto-${protocolNumber}`} fragment, length ${length}`;
}
