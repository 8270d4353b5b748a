import type { Dissection } from './dissection.ts';
import { etherTypeName, ipProtocolName } from './names.ts';
import type { Reader } from './reader.ts';

/** A protocol that is known by its number and length only. */
export type Unknown = {
  readonly protocol: 'unknown';
  /** Whose number it is. */
  readonly over: 'link' | 'ethernet' | 'ip' | 'snap' | 'ppp';
  readonly number: number;
  readonly name?: string;
  readonly length: number;
};

/** Bytes that no protocol is known for. */
export type Data = { readonly protocol: 'data'; readonly length: number };

/** Adds what is known of a protocol that has no code: whose number it is, and its length. */
export function readUnknown(
  over: Unknown['over'],
  number: number,
  bytes: Reader,
  packet: Dissection<Data | Unknown>,
): void {
  const name = over === 'ip' ? ipProtocolName(number) : undefined;
  const named = name === undefined ? {} : { name };
  packet.push({ protocol: 'unknown', over, number, ...named, length: bytes.wireLeft });
}

/** Adds the bytes that are left as data, if only their length. */
export function readData(bytes: Reader, packet: Dissection<Data | Unknown>): void {
  packet.push({ protocol: 'data', length: bytes.wireLeft });
}

/** `ethertype 0x9000, length 46`, or the number and whose it is. */
export function unknownLine({ over, number, name, length }: Unknown): string {
  if (over === 'ethernet') return `ethertype ${etherTypeName(number)}, length ${length}`;
  if (over === 'ip') return `${name ?? `ip-proto-${number}`}, length ${length}`;
  return `${over} protocol ${number}, length ${length}`;
}
