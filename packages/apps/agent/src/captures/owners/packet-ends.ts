import { type CapturedPacket, Decoder } from '@nodecore/capture/decode';

import type { Ends } from './socket-table.ts';

const decoder = new Decoder({ flows: 1, checksums: false });

/** The ends of a packet as its sender's socket has them; undefined for what no socket of TCP or UDP sends. */
export function endsOf(packet: CapturedPacket): Ends | undefined {
  let addresses: { readonly local: string; readonly remote: string } | undefined;
  for (const layer of decoder.decode(packet).layers) {
    if (layer.protocol === 'ipv4') addresses = { local: layer.source, remote: layer.destination };
    else if (layer.protocol === 'ipv6')
      addresses = { local: hexOf(layer.source), remote: hexOf(layer.destination) };
    else if (layer.protocol === 'tcp' || layer.protocol === 'udp') {
      if (addresses === undefined) return undefined;
      const { protocol: transport, sourcePort: localPort, destinationPort: remotePort } = layer;
      return { transport, ...addresses, localPort, remotePort };
    }
  }
  return undefined;
}

/** The same packet as the receiver's socket has it: local and remote change places. */
export function reversed({ transport, local, localPort, remote, remotePort }: Ends): Ends {
  return { transport, local: remote, localPort: remotePort, remote: local, remotePort: localPort };
}

function groups(part: string): readonly string[] {
  return part === '' ? [] : part.split(':').map((group) => group.padStart(4, '0'));
}

/** `2001:db8::1` as the 32 digits that tables of sockets have. */
function hexOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const [before, after] = [groups(head), groups(tail ?? '')];
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0000'), ...after].join('');
}
