import type { LogPiece } from '@nodecore/supervisor';

/** One line of a log that is made of records. */
export type LogLine = {
  /** Grows with every record of the boot. */
  readonly number: number;
  readonly text: string;
};

export type LogLines = {
  readonly lines: readonly LogLine[];
  /** Records that nobody could keep until they were read. */
  readonly lost: number;
  /** There is no other one for now. */
  readonly isAll: boolean;
  /** The number of the last record that was read, also where that is of another log; by default the last line's. */
  readonly last?: number | undefined;
};

/** From the oldest line on that is kept; ends where there is no other one, or with `follow` when the signal fires. */
export type LogSource = (options: {
  readonly follow: boolean;
  readonly signal: AbortSignal;
  /** The number of the record that was read last: those behind it that are gone count as lost. */
  readonly after?: number | undefined;
}) => AsyncIterable<LogLines>;

export type ReadSystemLogOptions = {
  readonly follow: boolean;
  readonly signal: AbortSignal;
  /** Lines from the end; all that are kept by default. */
  readonly tailLines?: number | undefined;
  /** Goes on at this offset instead. */
  readonly from?: number | undefined;
};

/**
 * Every record has so many bytes of the offsets to itself, whatever it needs: so the place of a line is known by its number, after
 * another agent has begun, too.
 */
const recordBytes = 8 << 10;

/** A log of records as pieces of bytes, as services have them: whoever keeps the end of the last piece misses none and sees none twice. */
export async function* readSystemLog(
  source: LogSource,
  { follow, signal, tailLines, from = 0 }: ReadSystemLogOptions,
): AsyncGenerator<LogPiece, void, undefined> {
  let held: LogLine[] | undefined = tailLines === undefined || from > 0 ? undefined : [];
  let end = from;
  let told = from;
  const after = from > 0 ? Math.ceil(from / recordBytes) - 1 : undefined;
  const pieceOf = (lines: readonly LogLine[], most = lines.length, lost = 0): LogPiece => {
    told = end;
    const texts = lines.slice(Math.max(0, lines.length - most)).map(({ text }) => bytesOf(text));
    // It is not known how many bytes they had.
    if (lost > 0) texts.unshift(bytesOf(`(${lost} records are lost)`));
    const data = Buffer.concat(texts);
    return { data, offset: Math.max(0, end - data.length), lost: 0 };
  };
  for await (const { lines, lost, isAll, last } of source({ follow, signal, after })) {
    const wanted = lines.filter(({ number }) => number * recordBytes >= from);
    end = Math.max(end, ((last ?? lines.at(-1)?.number ?? -1) + 1) * recordBytes);
    if (held === undefined) {
      // Records of other logs move the place, too: who comes back shall not take those for lost that were no lines.
      if (wanted.length > 0 || lost > 0 || (isAll && end > told)) yield pieceOf(wanted, wanted.length, lost);
      continue;
    }
    held.push(...wanted);
    if (!isAll) continue;
    yield pieceOf(held, tailLines);
    held = undefined;
  }
}

/** What is longer than its place in the offsets is cut. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll(/[\r\n]+/gu, ' | '));
  return Buffer.concat([bytes.subarray(0, recordBytes - 1), Buffer.from('\n')]);
}
