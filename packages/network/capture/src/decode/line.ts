import type { Decoded } from './decoder.ts';
import { layersLine } from './layers-line.ts';
import { timeText } from './time.ts';

export type LineOptions = {
  /** 0: what happened. 1: also headers, checksums, names in answers. 2: everything that is decoded. Default 0. */
  readonly verbose?: 0 | 1 | 2;
  /** Local time of day, seconds since the packet before, seconds since the epoch, or nothing. Default `absolute`. */
  readonly time?: 'absolute' | 'delta' | 'epoch' | 'none';
  /** Service names in place of well-known port numbers. */
  readonly names?: boolean;
  /** Link headers: addresses, EtherType, length. */
  readonly link?: boolean;
  /** Names of interfaces by their index, for captures on several (SLL2). */
  readonly interfaceName?: (index: number) => string | undefined;
};

/**
 * A packet in one line: `12:34:56.123456 IP 10.0.0.1.443 > 10.0.0.2.5000: Flags [.], ack 1, win 512, length 0`. At the
 * end `[|tcp]` names the protocol in which the capture was cut, `[malformed …]` what contradicts itself. Safe to print.
 */
export function line(decoded: Decoded, options: LineOptions = {}): string {
  const time = timeText(decoded, options.time ?? 'absolute');
  let text = layersLine(decoded.layers, decoded.originalBytes, options);
  if (decoded.truncated !== undefined) text += `${text === '' ? '' : ' '}[|${decoded.truncated}]`;
  if (decoded.malformed !== undefined) text += `${text === '' ? '' : ' '}[malformed ${decoded.malformed}]`;
  return time === '' ? text : `${time} ${text}`;
}
