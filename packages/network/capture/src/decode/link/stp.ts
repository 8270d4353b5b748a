import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';

/** IEEE 802.1D spanning tree, 802.1w rapid and 802.1Q multiple, of which the common part is read. */
export type Stp = {
  readonly protocol: 'stp';
  readonly version: number;
  readonly type: 'configuration' | 'topology change' | 'rapid' | number;
  readonly flags?: number;
  /** Priority in hex digits, and address. */
  readonly root?: string;
  readonly pathCost?: number;
  readonly bridge?: string;
  readonly port?: number;
  /** Seconds. */
  readonly messageAge?: number;
  readonly maxAge?: number;
  readonly helloTime?: number;
  readonly forwardDelay?: number;
};

const types: ReadonlyMap<number, Stp['type']> = new Map<number, Stp['type']>([
  [0, 'configuration'],
  [2, 'rapid'],
  [0x80, 'topology change'],
]);

/** Reads a message of the spanning tree protocol; nothing follows it. */
export function readStp(bytes: Reader, packet: Dissection<Stp>): void {
  if (!bytes.need(4)) return;
  if (bytes.u16() !== 0) return bytes.damage('no spanning tree protocol');
  const version = bytes.u8();
  const type = bytes.u8();
  const named = types.get(type) ?? type;
  if (named !== 'configuration' && named !== 'rapid') {
    packet.push({ protocol: 'stp', version, type: named });
    return;
  }
  if (!bytes.need(31)) return;
  const seconds = (): number => bytes.u16() / 256;
  packet.push({
    protocol: 'stp',
    version,
    type: named,
    flags: bytes.u8(),
    root: identifier(bytes),
    pathCost: bytes.u32(),
    bridge: identifier(bytes),
    port: bytes.u16(),
    messageAge: seconds(),
    maxAge: seconds(),
    helloTime: seconds(),
    forwardDelay: seconds(),
  });
}

function identifier(bytes: Reader): string {
  return `${bytes.hex(2)}.${bytes.mac()}`;
}

/** `STP version 0, configuration, flags 0x00, bridge-id …`; from verbose 1 on also its times. */
export function stpLine(stp: Stp, verbose: number): string {
  const kind = typeof stp.type === 'number' ? `type ${hexNumber(stp.type, 2)}` : stp.type;
  if (stp.root === undefined) return `STP version ${stp.version}, ${kind}`;
  const ids = `bridge-id ${stp.bridge}, port-id ${hexNumber(stp.port ?? 0, 4)}, root-id ${stp.root}`;
  const line = `STP version ${stp.version}, ${kind}, flags ${hexNumber(stp.flags ?? 0, 2)}, ${ids}`;
  if (verbose === 0) return `${line}, root-pathcost ${stp.pathCost}`;
  const times = `message-age ${stp.messageAge}s, max-age ${stp.maxAge}s, hello-time ${stp.helloTime}s`;
  return `${line}, root-pathcost ${stp.pathCost}, ${times}, forwarding-delay ${stp.forwardDelay}s`;
}
