import type { Kind, State } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { Serial } from '@nodecore/waiting';

/** Resources that say why an item is not done. They tell of one run: the next one begins without. */
export const controllerItems: Kind = {
  namespace: 'runtime',
  type: 'ControllerItems.runtime.nodecore.dev',
};

/** Why an item is not done. */
export type ItemReason = {
  readonly phase: 'waiting' | 'failing';
  /** For people. */
  readonly reason: string;
  /** Of a failure that has one: the stable code. */
  readonly code?: string;
  /** How many times in a row it failed; 0 of one that waits. */
  readonly failures: number;
};

/**
 * Keeps a resource of kind {@link controllerItems} for every item that waits or fails, and none for the others. Its
 * labels are `controller` and `waiting` or `failing`, its id is `CONTROLLER:ITEM`.
 */
export class ItemReasons {
  readonly #state: State;
  readonly #now: () => number;
  readonly #order = new Serial();
  /** Since when, of those that have a resource. */
  readonly #since = new Map<string, { readonly phase: ItemReason['phase']; readonly sinceMs: number }>();

  constructor(state: State, now: () => number) {
    this.#state = state;
    this.#now = now;
  }

  /** Takes away what a run that was killed has left: nobody else would, where the state outlives the process. */
  async begin(): Promise<void> {
    const { resources } = await this.#state.list(controllerItems);
    for (const { metadata } of resources) await this.#state.destroy(metadata, { owner });
  }

  /** @param reason undefined when the item is done. */
  async tell(controller: string, item: string, reason: ItemReason | undefined): Promise<void> {
    const id = `${controller}:${item}`;
    await this.#order.run(async () => {
      if (reason === undefined) return await this.#forget(id);
      const known = this.#since.get(id);
      const sinceMs = known?.phase === reason.phase ? known.sinceMs : this.#now();
      await this.#write(id, { controller, [reason.phase]: '' }, { controller, item, ...reason, sinceMs });
      this.#since.set(id, { phase: reason.phase, sinceMs });
    });
  }

  async #forget(id: string): Promise<void> {
    if (!this.#since.delete(id)) return;
    await this.#state.destroy({ ...controllerItems, id }, { owner });
  }

  async #write(
    id: string,
    labels: Record<string, string>,
    spec: Record<string, string | number>,
  ): Promise<void> {
    const key = { ...controllerItems, id };
    const current = await this.#state.get(key);
    if (current === undefined) await this.#state.create(key, spec, { owner, labels });
    else await this.#state.update(key, spec, { owner, labels, version: current.metadata.version });
  }
}

const owner = 'runtime';

/** A failure as users are told of it. */
export function failureReason(error: unknown, failures: number): ItemReason {
  const reason = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  return { phase: 'failing', reason, failures, ...(code !== undefined && { code }) };
}
