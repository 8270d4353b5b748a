import type { CaptureStart } from '@nodecore/api/capture';
import { Decoder } from '@nodecore/capture/decode';
import { CaptureReader, readOwner } from '@nodecore/capture/formats';

import { type Format, formatObjects, print, Screen, shortSize, Table, type Terminal } from '@nodecore/cli';
import type { Part } from './packet-call.ts';
import { talkerColumns, Talkers, type TalkerKind } from './talkers.ts';

/** How often a terminal shows how it is now. */
const refreshMs = 1_000;
/** Rows of a table; programs get all. */
const maxRows = 50;

/** Counts the packets of all nodes by whose they are: live on a terminal, and once at the end. */
export class TalkerOutput {
  readonly #talkers: Talkers;
  readonly #several: boolean;
  readonly #format: Format;
  readonly #terminal: Terminal;
  readonly #screen: Screen;
  #shownMs = 0;

  constructor(kind: TalkerKind, format: Format, several: boolean, terminal: Terminal) {
    this.#talkers = new Talkers(kind);
    this.#format = format;
    this.#several = several;
    this.#terminal = terminal;
    this.#screen = new Screen(terminal.out);
  }

  /** Takes the packets of one node. */
  async take(
    parts: AsyncIterable<Part>,
    node: string,
    started: () => CaptureStart | undefined,
  ): Promise<void> {
    const show = (): Promise<void> => this.#showLive();
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      for await (const { bytes } of parts) {
        yield bytes;
        await show();
      }
    };
    const decoder = new Decoder({ checksums: false });
    for await (const { comment, ...packet } of new CaptureReader(pieces())) {
      const linkType = started()?.sources[packet.interface]?.linkType ?? 0;
      const owner = comment === undefined ? undefined : readOwner(comment);
      this.#talkers.add(node, decoder.decode({ ...packet, linkType }), owner);
    }
  }

  async #showLive(): Promise<void> {
    if (this.#format.kind !== 'table' || !this.#screen.replaces || Date.now() - this.#shownMs < refreshMs)
      return;
    this.#shownMs = Date.now();
    await this.#screen.show(this.#table());
  }

  /** After the last packet. */
  async finish(): Promise<void> {
    if (this.#format.kind === 'table') return await this.#screen.show(this.#table());
    await print(
      this.#terminal.out,
      await formatObjects(this.#talkers.top(), this.#format, { single: false }),
    );
  }

  #table(): string {
    const columns = talkerColumns[this.#talkers.kind];
    const all = this.#talkers.top();
    const table = new Table([...(this.#several ? ['node'] : []), ...columns, 'packets', 'bytes']);
    const rows = all
      .slice(0, maxRows)
      .map((talker) => [
        ...(this.#several ? [talker.node] : []),
        ...columns.map((column) => String(talker[column] ?? '-')),
        String(talker.packets),
        shortSize(BigInt(talker.bytes)),
      ]);
    const left = all.length - rows.length;
    return `${table.format(rows)}${left > 0 ? `… ${left} more\n` : ''}`;
  }
}
