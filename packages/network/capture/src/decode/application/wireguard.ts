import type { Dissection } from '../dissection.ts';
import type { Reader } from '../reader.ts';
import { hexNumber } from '../text.ts';

/** WireGuard's four messages (its protocol description, section 5.4): what is not encrypted. */
export type Wireguard = {
  readonly protocol: 'wireguard';
  readonly type: 'handshake initiation' | 'handshake response' | 'cookie reply' | 'transport data';
  readonly sender?: number;
  readonly receiver?: number;
  /** Of transport data: a decimal number that may be past 2^53. */
  readonly counter?: string;
  /** Transport data that carries nothing. */
  readonly keepalive?: true;
  readonly length: number;
};

const lengths = [0, 148, 92, 64];
const data = 4;
/** Header and authentication tag of transport data. */
const minData = 32;

/** Whether the bytes begin as a message does: a type, three zeros, and the length of that type. */
export function looksLikeWireguard(bytes: Reader): boolean {
  const type = bytes.peek() ?? 0;
  if (type < 1 || type > data) return false;
  if (bytes.peek(1) !== 0 || bytes.peek(2) !== 0 || bytes.peek(3) !== 0) return false;
  const length = bytes.wireLeft;
  return type === data ? length >= minData && length % 16 === 0 : length === lengths[type];
}

/** Reads the header of a WireGuard message; what is behind it is encrypted. */
export function readWireguard(bytes: Reader, packet: Dissection<Wireguard>): void {
  const length = bytes.wireLeft;
  const type = bytes.u8();
  bytes.skip(3);
  const index = bytes.u32le();
  if (bytes.short) return;
  const common = { protocol: 'wireguard', length } as const;
  if (type === 1) packet.push({ ...common, type: 'handshake initiation', sender: index });
  else if (type === 2) {
    if (bytes.need(4))
      packet.push({ ...common, type: 'handshake response', sender: index, receiver: bytes.u32le() });
  } else if (type === 3) packet.push({ ...common, type: 'cookie reply', receiver: index });
  else if (bytes.need(8)) {
    const lower = BigInt(bytes.u32le());
    const counter = String((BigInt(bytes.u32le()) << 32n) | lower);
    const keepalive = length === minData ? { keepalive: true as const } : {};
    packet.push({ ...common, type: 'transport data', receiver: index, counter, ...keepalive });
  }
}

/** `WireGuard data, receiver 0x…, counter 7, length 96`; data without content is a keepalive. */
export function wireguardLine({ type, sender, receiver, counter, keepalive, length }: Wireguard): string {
  const from = sender === undefined ? '' : `, sender ${hexNumber(sender, 8)}`;
  const to = receiver === undefined ? '' : `, receiver ${hexNumber(receiver, 8)}`;
  const count = counter === undefined ? '' : `, counter ${counter}`;
  const kind = keepalive === true ? 'keepalive' : type;
  return `WireGuard ${kind}${from}${to}${count}, length ${length}`;
}
