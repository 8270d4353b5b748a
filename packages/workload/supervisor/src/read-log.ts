import { lastLines } from './last-lines.ts';
import type { FormerLog } from './log-archive.ts';
import type { LogPiece, LogRing, ReadLogOptions } from './log-ring.ts';

/** Where who reads was, of which boot. */
export type BootLogPiece = LogPiece & { readonly bootId: string };

export type ReadBootsOptions = ReadLogOptions & {
  /** Which boot `from` is of; the one that runs by default. Of one that is not kept all is new. */
  readonly fromBoot?: string | undefined;
};

export type BootLogs = {
  /** Oldest first. */
  readonly former: readonly FormerLog[];
  /** Of the boot that runs. */
  readonly log: LogRing;
  readonly bootId: string;
};

/** What a service printed in this boot and in those before it that are kept, and with `follow` what comes. */
export async function* readBoots(
  { former, log, bootId }: BootLogs,
  { fromBoot = bootId, from, tailLines, follow, signal }: ReadBootsOptions = {},
): AsyncGenerator<BootLogPiece, void, undefined> {
  const current = async function* (options: ReadLogOptions) {
    for await (const piece of log.read({ ...options, ...(follow && { follow }), ...(signal && { signal }) }))
      yield { ...piece, bootId };
  };
  if (from !== undefined && fromBoot === bootId) {
    yield* current({ from });
    return;
  }
  const known = from === undefined ? -1 : former.findIndex((each) => each.bootId === fromBoot);
  const wanted = former.slice(Math.max(0, known));
  if (tailLines !== undefined && from === undefined) {
    const pieces = await lastOf(wanted, { log, bootId }, tailLines);
    yield* pieces;
    const last = pieces.at(-1);
    const end = last?.bootId === bootId ? last.offset + last.data.length : await log.end();
    yield* current({ from: end });
    return;
  }
  for (const [index, each] of wanted.entries()) {
    const place = known >= 0 && index === 0 ? { from } : {};
    for await (const piece of each.log.read(place)) yield { ...piece, bootId: each.bootId };
  }
  yield* current({});
}

/** Looks no further into the past than it has to. */
async function lastOf(
  former: readonly FormerLog[],
  current: FormerLog,
  lines: number,
): Promise<readonly BootLogPiece[]> {
  let found: readonly BootLogPiece[] = [];
  for (const { log, bootId } of [...former, current].toReversed()) {
    const all = await Array.fromAsync(log.read(), (piece) => ({ ...piece, bootId }));
    found = lastLines([...all, ...found], lines);
    if (lines <= 0 || found[0]?.bootId !== bootId || found[0].offset > (all[0]?.offset ?? 0)) break;
  }
  return found;
}
