import type { Decoded } from './decoder.ts';
import { layersLine } from './layers-line.ts';
import type { LineOptions } from './line-options.ts';
import { timeText } from './time.ts';

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
