import { type DefragmentResponse, DefragmentState } from '@nodecore/api/kvstore';

import {
  formatObjects,
  print,
  readFormat,
  shortSize,
  showProgress,
  Table,
  type Terminal,
} from '@nodecore/cli';
import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import { hexId } from './member-id.ts';

export type Flags = GlobalFlags & {
  readonly output: string;
  readonly dryRun?: true;
  readonly force?: true;
};

/** What became of it, as -o json and yaml show it. */
type Outcome = {
  readonly node: string;
  readonly member: string;
  readonly result: 'planned' | 'done' | 'skipped';
  readonly dbSizeBeforeBytes?: bigint;
  readonly dbSizeAfterBytes?: bigint;
  readonly dbSizeInUseBytes?: bigint;
  /** How long the member answers nothing: of DONE as it was, else as it is estimated. */
  readonly stallMs?: number;
  readonly message: string;
};

/** Defragments the member on one node, or prints what that would be. */
export async function defragment(flags: Flags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  await onlyNode(flags, terminal, async ({ client, name, node }) => {
    const request = { dryRun: flags.dryRun === true, force: flags.force === true };
    const outcome = await showProgress([name], terminal, async (tell) => {
      let last: Outcome | undefined;
      let shown = '';
      for await (const event of client.kvstore.defragment(request, { node, signal: terminal.signal })) {
        last = outcomeOf(name, event) ?? last;
        const line = lineOf(event);
        if (line !== undefined && line !== shown) tell(name, line);
        shown = line ?? shown;
      }
      return last;
    });
    const outcomes = outcome === undefined ? [] : [outcome];
    if (format.kind !== 'table')
      await print(terminal.out, await formatObjects(outcomes, format, { single: false }));
    else await print(terminal.out, table(outcomes));
  });
}

function lineOf({ state, message, elapsedMillis, estimatedMillis }: DefragmentResponse): string | undefined {
  if (state === DefragmentState.WAITING) return `waiting: ${message}`;
  if (state === DefragmentState.SETTLING) return 'waiting until the cluster is well again';
  if (state !== DefragmentState.RUNNING) return undefined;
  const [elapsed, estimated] = [elapsedMillis, estimatedMillis].map((ms) => Math.round(Number(ms) / 1000));
  return `defragmenting, the member answers nothing: ${elapsed} s of about ${estimated} s`;
}

function outcomeOf(node: string, event: DefragmentResponse): Outcome | undefined {
  const { state, message, dbSizeBefore, dbSizeAfter, dbSizeInUse } = event;
  const about = { node, member: hexId(event.memberId), message };
  if (state === DefragmentState.SKIPPED) return { ...about, result: 'skipped' };
  if (state === DefragmentState.PLANNED)
    return {
      ...about,
      result: 'planned',
      dbSizeBeforeBytes: dbSizeBefore,
      dbSizeInUseBytes: dbSizeInUse,
      stallMs: Number(event.estimatedMillis),
    };
  if (state !== DefragmentState.DONE) return undefined;
  return {
    ...about,
    result: 'done',
    dbSizeBeforeBytes: dbSizeBefore,
    dbSizeAfterBytes: dbSizeAfter,
    stallMs: Number(event.elapsedMillis),
  };
}

function table(outcomes: readonly Outcome[]): string {
  const header = new Table(['node', 'member', 'result', 'before', 'after', 'stall seconds', 'details']);
  return header.format(
    outcomes.map(({ node, member, result, message, stallMs, ...sizes }) => [
      node,
      member,
      result,
      sizeOf(sizes.dbSizeBeforeBytes),
      sizeOf(sizes.dbSizeAfterBytes ?? sizes.dbSizeInUseBytes),
      stallMs === undefined ? '' : (stallMs / 1000).toFixed(1),
      message,
    ]),
  );
}

function sizeOf(bytes: bigint | undefined): string {
  return bytes === undefined ? '' : shortSize(bytes);
}
