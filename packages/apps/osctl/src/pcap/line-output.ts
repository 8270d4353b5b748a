import { stringify } from '@nodecore/api';
import type { CaptureStart } from '@nodecore/api/capture';
import { Decoder, json, line } from '@nodecore/capture/decode';
import { CaptureReader, readOwner } from '@nodecore/capture/formats';

import { print, printable, type Terminal } from '@nodecore/cli';
import type { Part } from './packet-call.ts';

export type LineOptions = {
  /** One JSON object per packet, with node and interface. */
  readonly json: boolean;
  readonly verbose: 0 | 1 | 2;
  /** Before each line, where there are several nodes. */
  readonly prefix: string;
  /** As the user named it. */
  readonly node: string;
  /** Names by index, for `any`. */
  readonly interfaceNames: ReadonlyMap<number, string>;
};

/** Prints a line per packet. */
export async function printLines(
  parts: AsyncIterable<Part>,
  started: () => CaptureStart | undefined,
  options: LineOptions,
  { out }: Terminal,
): Promise<void> {
  let lines = '';
  // All packets of a piece are read when the next one is asked for: one write for all of them.
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for await (const { bytes } of parts) {
      yield bytes;
      if (lines !== '') await print(out, lines);
      lines = '';
    }
  };
  const decoder = new Decoder();
  const reader = new CaptureReader(pieces());
  const names = { interfaceName: (index: number) => options.interfaceNames.get(index) };
  for await (const { interface: index, comment, ...packet } of reader) {
    const sources = started()?.sources ?? [];
    const decoded = decoder.decode({ ...packet, linkType: reader.interfaces[index]?.linkType ?? 0 });
    const name = sources[index]?.name ?? '';
    if (options.json) {
      const owner = comment === undefined ? undefined : readOwner(comment);
      const about = stringify({ node: options.node, interface: name, ...(owner !== undefined && { owner }) });
      lines += `${about.slice(0, -1)},${json(decoded).slice(1)}\n`;
    } else {
      const from = sources.length > 1 ? `${printable(name)} ` : '';
      const whose = comment === undefined ? '' : ` {${printable(comment)}}`;
      lines += `${options.prefix}${from}${line(decoded, { verbose: options.verbose, ...names })}${whose}\n`;
    }
  }
}
