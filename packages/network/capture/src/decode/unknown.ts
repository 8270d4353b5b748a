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

export function readData(bytes: Reader, packet: Dissection<Data | Unknown>): void {
  packet.push({ protocol: 'data', length: bytes.wireLeft });
}

export function unknownLine({ over, number, name, length }: Unknown): string {
  if (over === 'ethernet') return `ethertype ${etherTypeName(number)}, length ${length}`;
  if (over === 'ip') return `${name ?? `ip-proto-${number}`}, length ${length}`;
  return `${over} protocol ${number}, length ${length}`;
}
