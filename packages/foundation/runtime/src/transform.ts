import type { Json, Key, Kind, Query, Resource } from '@nodecore/state';

import type { Access, AccessWriteOptions } from './access.ts';
import { type Controller, type Outcome, type Waiting, waitFor } from './controller.ts';
import type { Input, Output } from './declaration.ts';

/** What an output shall be. */
export type Wanted = AccessWriteOptions & { readonly spec: Json };

export type Transform = {
  /** Of the controller: owner of the outputs and finalizer on the inputs. */
  readonly name: string;
  readonly input: Kind & { readonly query?: Query };
  readonly output: Output;
  /** Other inputs; their `items` are ids of the main input. */
  readonly others?: readonly Input[];
  readonly concurrency?: number;
  /** Id of an input's output and back; the same id by default. */
  readonly outputId?: (inputId: string) => string;
  readonly inputId?: (outputId: string) => string;
  /** The output of an input that runs: what it shall be, undefined for none, or what it waits for: then what is there stays. */
  want(input: Resource, access: Access, signal: AbortSignal): Promise<Wanted | Waiting | undefined>;
  /** Undoes what `want` did beside the output, when the input goes. The input is let go after it has nothing to wait for. */
  undo?(input: Resource, access: Access, signal: AbortSignal): Promise<Outcome>;
};

/**
 * A controller with one output for each input. The input is held while its output is there: it goes after the output, and
 * the output goes after everybody who holds it has let go.
 */
export function transform(definition: Transform): Controller {
  const { name, input, output, others = [], concurrency = 1 } = definition;
  const { inputId = (id: string): string => id } = definition;
  const freed: Input = {
    namespace: output.namespace,
    type: output.type,
    strength: 'awaiting-destruction',
    items: ({ metadata }) => [inputId(metadata.id)],
  };
  return {
    name,
    inputs: [{ ...input, strength: 'strong' }, freed, ...others],
    outputs: [output],
    concurrency,
    reconcile: (item, access, signal) => reconcile(definition, item, access, signal),
  };
}

async function reconcile(
  definition: Transform,
  item: string,
  access: Access,
  signal: AbortSignal,
): Promise<Outcome> {
  const { input, output, outputId = (id: string): string => id } = definition;
  const source: Key = { namespace: input.namespace, type: input.type, id: item };
  const target: Key = { namespace: output.namespace, type: output.type, id: outputId(item) };
  const current = await access.get(source);
  if (current === undefined) return await remove(target, access);
  if (current.metadata.phase === 'tearingDown') {
    const left = (await definition.undo?.(current, access, signal)) ?? (await remove(target, access));
    if (left === undefined) await access.release(source);
    return left;
  }
  await access.hold(source);
  const wanted = await definition.want(current, access, signal);
  if (wanted !== undefined && 'reason' in wanted) return wanted;
  const isLeaving = (await access.get(target))?.metadata.phase === 'tearingDown';
  const left = wanted === undefined || isLeaving ? await remove(target, access) : undefined;
  if (left !== undefined || wanted === undefined) return left;
  const { spec, ...options } = wanted;
  await access.modify(target, () => spec, options);
}

/** @returns what holds the output, until it lets go. */
async function remove(target: Key, access: Access): Promise<Outcome> {
  if (await access.teardown(target)) return await access.destroy(target);
  const holders = (await access.get(target))?.metadata.finalizers ?? [];
  return waitFor(`${target.type} ${target.id} is held by ${holders.join(', ')}`);
}
