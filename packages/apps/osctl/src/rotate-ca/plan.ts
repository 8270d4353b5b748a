import { Table } from '@nodecore/cli';

import type { AuthorityName } from './configured.ts';
import type { Seen } from './look.ts';
import { isAhead, type Replacement, type Standing, standingOf, type Step, steps } from './replacement.ts';

export type State = 'planned' | 'done' | 'before';

/** One step of one node, or of the client config. */
export type Row = {
  /** Empty: the client config. */
  readonly node: string;
  readonly step: Step;
  readonly type: 'controlplane' | 'worker' | 'client';
  readonly authority: AuthorityName;
  /** before: it was so before the command began. */
  state: State;
  readonly change: string;
};

/** What a node has to do with an authority; undefined: nothing. */
export function standing({ node, configuration }: Seen, replacement: Replacement): Standing | undefined {
  const configured = configuration.authority(replacement.name);
  return configured === undefined ? undefined : standingOf(configured, replacement, node.name);
}

/** Control planes first: a worker shows a certificate of the new authority only when a control plane signs with it. */
export function inOrder(seen: readonly Seen[]): readonly Seen[] {
  const { planes = [], workers = [] } = Object.groupBy(seen, ({ configuration }) =>
    configuration.isControlPlane ? 'planes' : 'workers',
  );
  return [...planes, ...workers];
}

/** Every step, in the order in which they are made. */
export function planOf(seen: readonly Seen[], replacements: readonly Replacement[]): readonly Row[] {
  return steps.flatMap((step) => [
    ...inOrder(seen).flatMap((each) => replacements.flatMap((one) => rowOf(step, each, one) ?? [])),
    ...replacements.filter(({ name }) => name === 'os').map(() => clientRow(step)),
  ]);
}

function rowOf(step: Step, each: Seen, replacement: Replacement): Row | undefined {
  const found = standing(each, replacement);
  if (found === undefined || (step === 'issue' && found.own === undefined)) return undefined;
  // What is dropped is accepted by then, whatever is so now.
  const isOpen = step === 'drop' ? found.own === 'former' || found.acceptsFormer : isAhead(step, found);
  const { isControlPlane } = each.configuration;
  return {
    node: each.node.name,
    step,
    type: isControlPlane ? 'controlplane' : 'worker',
    authority: replacement.name,
    state: isOpen ? 'planned' : 'before',
    change: changes[step](isControlPlane),
  };
}

const changes: Readonly<Record<Step, (isControlPlane: boolean) => string>> = {
  accept: () => 'accepts clients and certificates of the new authority, too',
  issue: (isControlPlane) =>
    isControlPlane
      ? 'issues with the new authority, accepts the former'
      : 'has its certificate signed by the new authority, accepts the former',
  drop: () => 'accepts the former authority no more',
};

function clientRow(step: Step): Row {
  return {
    node: '',
    step,
    type: 'client',
    authority: 'os',
    state: 'planned',
    change: {
      accept: 'believes certificates of both authorities',
      issue: 'shows a certificate of the new authority',
      drop: 'believes the new authority alone',
    }[step],
  };
}

export function planTable(rows: readonly Row[]): string {
  const cells = rows.map(({ node, step, type, authority, state, change }) => [
    step,
    node === '' ? '(client config)' : node,
    type,
    authority,
    state,
    change,
  ]);
  return new Table(['step', 'node', 'type', 'authority', 'state', 'change']).format(cells);
}
