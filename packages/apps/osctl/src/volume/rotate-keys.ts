import { RotationState, type RotateKeysResponse } from '@nodecore/api/volume';

import {
  formatObjects,
  print,
  readFormat,
  showProgress,
  Table,
  type Tell,
  type Terminal,
} from '@nodecore/cli';
import { notRotated } from '../outcome.ts';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets, type Target } from '../nodes/target.ts';

export type Request = {
  readonly volumes: readonly string[];
  readonly slots: readonly number[];
  readonly dryRun: boolean;
};

/** What became of one key, as -o json and yaml show it. */
type Outcome = {
  readonly node: string;
  readonly volume: string;
  readonly slot?: number;
  readonly kind: string;
  readonly state: 'planned' | 'done' | 'skipped' | 'failed';
  readonly message: string;
  readonly code?: string;
  readonly permanence?: string;
};

const states: Readonly<Record<number, Outcome['state']>> = {
  [RotationState.PLANNED]: 'planned',
  [RotationState.DONE]: 'done',
  [RotationState.SKIPPED]: 'skipped',
  [RotationState.FAILED]: 'failed',
};

/** Rotates keys on all nodes at once; shows what is being done, then what became of each key. */
export async function rotateKeys(
  request: Request,
  flags: GlobalFlags & { readonly output: string },
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await showProgress(
    targets.all.map((target) => target.name),
    terminal,
    (tell) => everyNode(targets.all, (target) => rotateOn(target, request, terminal.signal, tell)),
  );
  const outcomes = results.flatMap(({ result }) => result);
  if (format.kind !== 'table')
    await print(terminal.out, await formatObjects(outcomes, format, { single: false }));
  else if (outcomes.length > 0) {
    const table = new Table(['node', 'volume', 'slot', 'kind', 'result', 'details']);
    await print(terminal.out, table.format(outcomes.map(row)));
  }
  throwFailures();
  const failed = outcomes.filter(({ state }) => state === 'failed').length;
  // What is said of a volume as a whole is no key.
  const keys = outcomes.filter(({ slot, state }) => slot !== undefined || state === 'failed').length;
  if (failed > 0) throw notRotated(failed, keys);
}

async function rotateOn(
  { name, client, node }: Target,
  request: Request,
  signal: AbortSignal,
  tell: Tell,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const event of client.rotateKeys(request, { node, signal })) {
    const state = states[event.state];
    tell(name, `${subject(event)}: ${state ?? event.message}`);
    if (state !== undefined) outcomes.push(outcome(name, event, state));
  }
  return outcomes;
}

function outcome(node: string, event: RotateKeysResponse, state: Outcome['state']): Outcome {
  const { volume, slot, kind, message, code, permanence } = event;
  return {
    node,
    volume,
    ...(slot !== undefined && { slot }),
    kind,
    state,
    message,
    ...(code !== '' && { code, permanence }),
  };
}

function subject({ volume, slot, kind }: RotateKeysResponse): string {
  if (slot === undefined) return volume;
  return `${volume} slot ${slot}${kind === '' ? '' : ` (${kind})`}`;
}

function row({ node, volume, slot, kind, state, message }: Outcome): string[] {
  return [node, volume, slot === undefined ? '' : `${slot}`, kind, state, message];
}
