import { TrimState, type TrimResponse } from '@nodecore/api/trim';

import {
  formatObjects,
  print,
  readFormat,
  shortSize,
  showProgress,
  Table,
  type Tell,
  type Terminal,
} from '@nodecore/cli';
import { notTrimmed } from '../outcome.ts';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets, type Target } from '../nodes/target.ts';
import { Bars } from './bars.ts';

export type Request = { readonly volumes: readonly string[]; readonly dryRun: boolean };

/** What became of one volume, as -o json and yaml show it. */
type Outcome = {
  readonly node: string;
  readonly volume: string;
  readonly state: 'planned' | 'done' | 'skipped' | 'failed';
  readonly disks: readonly string[];
  readonly message: string;
  readonly ranges?: number;
  /** As the filesystem counts. */
  readonly trimmedBytes?: bigint;
  readonly durationMs?: number;
  readonly pausedMs?: number;
  readonly code?: string;
  readonly permanence?: string;
};

const states: Readonly<Record<number, Outcome['state']>> = {
  [TrimState.PLANNED]: 'planned',
  [TrimState.DONE]: 'done',
  [TrimState.SKIPPED]: 'skipped',
  [TrimState.FAILED]: 'failed',
};

/** Trims on all nodes at once; shows how far it is, then what became of each volume. */
export async function trim(
  request: Request,
  flags: GlobalFlags & { readonly output: string },
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await showProgress(
    targets.all.map((target) => target.name),
    terminal,
    (tell) => everyNode(targets.all, (target) => trimOn(target, request, terminal, tell)),
  );
  const outcomes = results.flatMap(({ result }) => result);
  if (format.kind !== 'table')
    await print(terminal.out, await formatObjects(outcomes, format, { single: false }));
  else if (outcomes.length > 0) {
    const table = new Table(['node', 'volume', 'result', 'trimmed', 'ranges', 'seconds', 'details']);
    await print(terminal.out, table.format(outcomes.map(row)));
  }
  throwFailures();
  // A volume that somebody named was meant to be trimmed.
  const missed = outcomes.filter(
    ({ state }) => state === 'failed' || (state === 'skipped' && request.volumes.length > 0),
  );
  if (missed.length > 0) throw notTrimmed(missed.length, outcomes.length);
}

async function trimOn(
  { name, client, node }: Target,
  request: Request,
  { error, signal }: Terminal,
  tell: Tell,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const bars = new Bars('isTTY' in error && error.isTTY === true ? 1 : 10);
  for await (const event of client.trim(request, { node, signal })) {
    const line = bars.after(event);
    if (line !== undefined) tell(name, line);
    const state = states[event.state];
    if (state !== undefined) outcomes.push(outcome(name, event, state));
  }
  return outcomes.sort((left, right) => (left.volume < right.volume ? -1 : 1));
}

function outcome(node: string, event: TrimResponse, state: Outcome['state']): Outcome {
  const { volume, disks, message, ranges, trimmedBytes, durationMillis, pausedMillis, code, permanence } =
    event;
  return {
    node,
    volume,
    state,
    disks,
    message,
    ...(ranges > 0 && { ranges, trimmedBytes, pausedMs: Number(pausedMillis) }),
    ...(state === 'done' && { durationMs: Number(durationMillis) }),
    ...(code !== '' && { code }),
    ...(permanence !== '' && { permanence }),
  };
}

function row({
  node,
  volume,
  state,
  trimmedBytes,
  ranges,
  durationMs,
  pausedMs = 0,
  message,
}: Outcome): string[] {
  const paused = pausedMs > 0 ? `paused ${(pausedMs / 1000).toFixed(0)} s for others` : '';
  return [
    node,
    volume,
    state,
    trimmedBytes === undefined ? '' : shortSize(trimmedBytes),
    ranges === undefined ? '' : `${ranges}`,
    durationMs === undefined ? '' : (durationMs / 1000).toFixed(1),
    message === '' ? paused : message,
  ];
}
