import { StringDecoder } from 'node:string_decoder';

import type { LogPiece, Service } from '@nodecore/supervisor';

/** What has no end by then is cut. */
const longestLine = 64 << 10;

/**
 * Tells of each line that a service prints, until the signal fires, and then of what it printed by that moment.
 *
 * @param from the offset of the first byte.
 */
export async function followLines(
  { log, printed }: Pick<Service, 'log' | 'printed'>,
  from: number,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const decoder = new StringDecoder();
  let [next, rest] = [from, ''];
  const add = ({ data, offset }: LogPiece): void => {
    next = offset + data.length;
    const lines = (rest + decoder.write(Buffer.from(data))).split('\n');
    rest = (lines.pop() ?? '').slice(-longestLine);
    for (const line of lines) tell(line);
  };
  for await (const piece of log.read({ from, follow: printed, signal })) add(piece);
  for await (const piece of log.read({ from: next })) add(piece);
}
