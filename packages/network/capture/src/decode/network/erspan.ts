import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';

/** A frame that a switch mirrors through a tunnel (draft-foschiano-erspan). Type I has no header of its own. */
export type Erspan = {
  readonly protocol: 'erspan';
  readonly type: 1 | 2 | 3;
  readonly vlan?: number;
  /** Class of service. */
  readonly priority?: number;
  /** The frame was cut to fit the tunnel. */
  readonly truncated?: boolean;
  readonly session?: number;
  /** Type II: the port, as the switch counts. */
  readonly index?: number;
  /** Type III: of the switch's own clock. */
  readonly timestamp?: number;
  /** Type III: tag of the security group. */
  readonly groupTag?: number;
  /** Type III: 0 for a frame of Ethernet, 2 for a packet of IP. */
  readonly frameType?: number;
  readonly hardwareId?: number;
  /** Type III: the frame went out. */
  readonly egress?: boolean;
};

const ethernet = 0x6558;
const ipFrames = 2;
const versionOf = { 2: 1, 3: 2 } as const;

/** Type I, or II where GRE counts its packets. */
export function readErspan(bytes: Reader, packet: Dissection<Erspan>, counted: boolean): void {
  if (!counted) {
    packet.push({ protocol: 'erspan', type: 1 });
    return packet.next('etherType', ethernet, bytes);
  }
  const common = readCommon(bytes, 2);
  if (common === undefined || !bytes.need(4)) return;
  packet.push({ ...common, index: bytes.u32() & 0xf_ffff });
  packet.next('etherType', ethernet, bytes);
}

/** Reads the header of a mirrored frame, type III, also its part for the platform; the frame follows. */
export function readErspan3(bytes: Reader, packet: Dissection<Erspan>): void {
  const common = readCommon(bytes, 3);
  if (common === undefined || !bytes.need(8)) return;
  const timestamp = bytes.u32();
  const groupTag = bytes.u16();
  const rest = bytes.u16();
  const frameType = (rest >> 10) & 0x1f;
  if ((rest & 1) !== 0) bytes.skip(8); // of the platform
  if (bytes.short) return;
  const hardwareId = (rest >> 4) & 0x3f;
  packet.push({ ...common, timestamp, groupTag, frameType, hardwareId, egress: (rest & 8) !== 0 });
  if (frameType === 0) packet.next('etherType', ethernet, bytes);
  else packet.next(frameType === ipFrames ? 'ip' : 'none', 0, bytes);
}

type Common = Pick<Erspan, 'protocol' | 'type' | 'vlan' | 'priority' | 'truncated' | 'session'>;

function readCommon(bytes: Reader, type: 2 | 3): Common | undefined {
  if (!bytes.need(4)) return undefined;
  const first = bytes.u16();
  const second = bytes.u16();
  if (first >> 12 !== versionOf[type]) {
    bytes.damage(`version ${first >> 12} of ERSPAN type ${type}`);
    return undefined;
  }
  return {
    protocol: 'erspan',
    type,
    vlan: first & 0xfff,
    priority: second >> 13,
    truncated: (second & 0x400) !== 0,
    session: second & 0x3ff,
  };
}

const numerals = { 1: 'I', 2: 'II', 3: 'III' } as const;

/** `ERSPAN type II, session 1, vlan 10`. */
export function erspanLine({ type, session, vlan, truncated, egress }: Erspan): string {
  const about = session === undefined ? '' : `, session ${session}, vlan ${vlan}`;
  return `ERSPAN type ${numerals[type]}${about}${egress === true ? ', egress' : ''}${truncated === true ? ', cut' : ''}`;
}
