import { follow, type ResourceDefinition } from '@nodecore/api';
import type { Resource } from '@nodecore/api/resource';
import { printable, type Terminal } from '@nodecore/cli';
import { showResource } from '@nodecore/api/readings';

import { errorLines } from '../error-lines.ts';
import { notAsWanted } from '../outcome.ts';
import { findDefinition, type Query } from '../get/kind.ts';
import type { Selection } from '../get/selection.ts';
import type { Target } from '../nodes/target.ts';
import type { Condition } from './condition.ts';

export type WaitOptions = {
  readonly selection: Selection;
  readonly condition: Condition;
  readonly timeoutMs: number;
};

/** What was there when it was as wanted; none, when that was its absence. */
export type Waited = { readonly definition: ResourceDefinition; readonly resources: readonly Resource[] };

/**
 * Follows resources of a node until all that are meant are as wanted, over lost connections.
 *
 * @throws {OutcomeError} `ERR_WAIT_TIMEOUT` which says what it still was.
 */
export async function waitFor(
  target: Target,
  query: Query,
  { selection, condition, timeoutMs }: WaitOptions,
  terminal: Terminal,
): Promise<Waited> {
  const limit = AbortSignal.timeout(timeoutMs);
  const options = { node: target.node, signal: AbortSignal.any([terminal.signal, limit]) };
  const present = new Map<string, Resource>();
  try {
    const definition = await findDefinition(target, query.type, options);
    const { namespace = definition.defaultNamespace, id } = query;
    const what = { type: definition.type, namespace, ...(id === undefined ? {} : { id }) };
    const onInterruption = (error: unknown): void => {
      terminal.error.write(`osctl: ${errorLines(error)[0]}; connecting again\n`);
    };
    let isComplete = false;
    const select = selection.follow();
    for await (const changes of follow(target.client, what, { ...options, onInterruption })) {
      for (const change of changes.flatMap(select)) {
        if (change.kind === 'bootstrapped') isComplete = true;
        else if (change.kind === 'destroyed') present.delete(change.resource.metadata?.id ?? '');
        else present.set(change.resource.metadata?.id ?? '', change.resource);
      }
      const resources = [...present.values()];
      if (isComplete && holds(target, resources, condition)) return { definition, resources };
    }
    throw new TypeError('a watch that is followed does not end');
  } catch (error) {
    terminal.signal.throwIfAborted();
    if (!limit.aborted) throw error;
    const lacking = [...present.values()].filter((resource) => !isAsWanted(target, resource, condition));
    const ids = lacking.map(({ metadata }) => printable(metadata?.id ?? ''));
    throw notAsWanted(target.name, condition.text, { ids, waitedMs: timeoutMs });
  }
}

function holds(target: Target, resources: readonly Resource[], condition: Condition): boolean {
  if (condition.isAbsence) return resources.length === 0;
  return resources.length > 0 && resources.every((resource) => isAsWanted(target, resource, condition));
}

function isAsWanted({ name }: Target, resource: Resource, condition: Condition): boolean {
  return condition.holds(showResource(name, resource));
}
