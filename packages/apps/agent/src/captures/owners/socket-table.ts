/** `tcp` or `udp`, and both ends; an end that is not bound is `*` and 0. */
export type Ends = {
  readonly transport: 'tcp' | 'udp';
  readonly local: string;
  readonly localPort: number;
  readonly remote: string;
  readonly remotePort: number;
};

/** The key of a {@link SocketTable}; addresses of IPv4 are dotted, those of IPv6 are 32 hexadecimal digits. */
export function keyOf({ transport, local, localPort, remote, remotePort }: Ends): string {
  return `${transport} ${local} ${localPort} ${remote} ${remotePort}`;
}

/** Sockets of one network namespace: their inodes by {@link keyOf} their ends. */
export type SocketTable = ReadonlyMap<string, string>;

/** Files of `/proc/<pid>/net`, which show the namespace of that process without entering it (proc(5)). */
export const socketFiles = ['tcp', 'tcp6', 'udp', 'udp6'] as const;

/** Adds the sockets in the text of such a file. Those without an inode belong to no process any more. */
export function readSockets(
  file: (typeof socketFiles)[number],
  text: string,
  into: Map<string, string>,
): void {
  const transport = file.startsWith('tcp') ? 'tcp' : 'udp';
  for (const line of text.split('\n').slice(1)) {
    const [, from, to, , , , , , , inode = '0'] = line.trim().split(/\s+/);
    if (inode === '0') continue;
    const [local, localPort] = endOf(from);
    const [remote, remotePort] = endOf(to);
    if (localPort === 0) continue;
    into.set(keyOf({ transport, local, localPort, remote, remotePort }), inode);
  }
}

/** `0100007F:0035`: words of an address in the byte order of the machine, which is little-endian, and the port. */
function endOf(text = ''): readonly [address: string, port: number] {
  const [hex = '', port = ''] = text.split(':');
  const bytes = Buffer.from(hex, 'hex');
  for (let at = 0; at + 4 <= bytes.length; at += 4) bytes.subarray(at, at + 4).reverse();
  return [addressOf(bytes), Number.parseInt(port, 16) || 0];
}

const mapped = '00000000000000000000ffff';

function addressOf(bytes: Buffer): string {
  if (bytes.every((byte) => byte === 0)) return '*';
  const hex = bytes.toString('hex');
  // A socket of both families has addresses of IPv4 in those of IPv6.
  const four = bytes.length === 4 ? bytes : hex.startsWith(mapped) ? bytes.subarray(12) : undefined;
  return four === undefined ? hex : four.join('.');
}
