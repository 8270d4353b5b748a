import type { Json, Key, Kind, Query, Resource, State } from '@nodecore/state';

import type { Declaration, Input } from './declaration.ts';
import { RuntimeError, type RuntimeErrorCode } from './errors.ts';

/** What a writer says beside the spec. */
export type AccessWriteOptions = {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

/**
 * The state as one controller may use it during one reconciliation: reads of its declared inputs and outputs, writes of
 * its declared outputs, finalizers on its strong inputs. Anything else throws and changes nothing.
 *
 * What it writes is owned by the controller; what others own is refused by the state.
 */
export class Access {
  readonly #state: State;
  readonly #controller: Declaration;
  #hasEnded = false;

  /** Made by the runtime, one for each reconciliation. */
  constructor(state: State, controller: Declaration) {
    this.#state = state;
    this.#controller = controller;
  }

  /** @returns undefined when there is none. @throws {RuntimeError} `ERR_RUNTIME_UNDECLARED`. */
  async get(key: Key): Promise<Resource | undefined> {
    this.#checkRead(key, key.id);
    return await this.#state.get(key);
  }

  /** Resources of a kind, sorted by id. @throws {RuntimeError} `ERR_RUNTIME_UNDECLARED`. */
  async list(kind: Kind, query?: Query): Promise<readonly Resource[]> {
    this.#checkRead(kind, undefined);
    const { resources } = await this.#state.list(kind, query);
    return resources;
  }

  /**
   * Creates an output or changes it; when nothing differs nothing is written. An output that is being torn down is not
   * changed: `ERR_RESOURCE_PHASE`, and the item is tried again when it is gone.
   *
   * @param change gets the spec that is there, undefined when there is none.
   */
  async modify(
    key: Key,
    change: (spec: Json | undefined) => Json,
    options: AccessWriteOptions = {},
  ): Promise<Resource> {
    this.#checkWrite(key);
    const owner = this.#controller.name;
    const current = await this.#state.get(key);
    if (current === undefined) return await this.#state.create(key, change(undefined), { owner, ...options });
    const { version } = current.metadata;
    return await this.#state.update(key, change(current.spec), { owner, version, ...options });
  }

  /**
   * Makes the controller's outputs of a kind exactly these, by id. What is not among them goes, at once or when nobody holds
   * it any more: an `awaiting-destruction` input wakes the controller then.
   */
  async replace(kind: Kind, specs: ReadonlyMap<string, Json>): Promise<void> {
    for (const [id, spec] of specs) await this.modify({ ...kind, id }, () => spec);
    for (const { metadata } of await this.list(kind)) {
      if (metadata.owner !== this.#controller.name || specs.has(metadata.id)) continue;
      if (await this.teardown(metadata)) await this.destroy(metadata);
    }
  }

  /** Says that an output shall go. @returns whether nobody needs it any more, true when there is none. */
  async teardown(key: Key): Promise<boolean> {
    this.#checkWrite(key);
    if ((await this.#state.get(key)) === undefined) return true;
    return await this.#state.teardown(key, { owner: this.#controller.name });
  }

  /** Destroys an output that nobody needs; none is fine. */
  async destroy(key: Key): Promise<void> {
    this.#checkWrite(key);
    if ((await this.#state.get(key)) === undefined) return;
    await this.#state.destroy(key, { owner: this.#controller.name });
  }

  /** Holds a strong input: it is destroyed only after {@link release}. */
  async hold(key: Key): Promise<void> {
    this.#checkHold(key);
    await this.#state.addFinalizers(key, [this.#controller.name]);
  }

  /** Lets go of a strong input. Of one that is not held, or gone, nothing. */
  async release(key: Key): Promise<void> {
    this.#checkHold(key);
    if ((await this.#state.get(key)) === undefined) return;
    await this.#state.removeFinalizers(key, [this.#controller.name]);
  }

  /** Called by the runtime: a call that was not awaited must not write into another reconciliation. */
  end(): void {
    this.#hasEnded = true;
  }

  #checkRead(kind: Kind, id: string | undefined): void {
    const { inputs, outputs } = this.#controller;
    const isInput = (input: Input): boolean =>
      isSame(input, kind) && (input.id === undefined || input.id === id);
    if (!inputs.some(isInput) && !outputs.some((output) => isSame(output, kind)))
      this.#refuse('ERR_RUNTIME_UNDECLARED', `reads ${textOf(kind, id)}, which is none of its inputs`);
    this.#checkEnd();
  }

  #checkWrite(key: Key): void {
    if (!this.#controller.outputs.some((output) => isSame(output, key)))
      this.#refuse('ERR_RUNTIME_UNDECLARED', `writes ${textOf(key, key.id)}, which is none of its outputs`);
    this.#checkEnd();
  }

  #checkHold(key: Key): void {
    const isStrong = ({ strength, id, ...kind }: Input): boolean =>
      strength === 'strong' && isSame(kind, key) && (id === undefined || id === key.id);
    if (!this.#controller.inputs.some(isStrong))
      this.#refuse('ERR_RUNTIME_UNDECLARED', `holds ${textOf(key, key.id)}, which is no strong input`);
    this.#checkEnd();
  }

  #checkEnd(): void {
    if (this.#hasEnded) this.#refuse('ERR_RUNTIME_ENDED', 'its reconciliation has ended: await every call');
  }

  #refuse(code: RuntimeErrorCode, message: string): never {
    throw new RuntimeError(code, this.#controller.name, message);
  }
}

/** Whether both are the same type in the same namespace. */
export function isSame(one: Kind, other: Kind): boolean {
  return one.type === other.type && one.namespace === other.namespace;
}

function textOf({ namespace, type }: Kind, id: string | undefined): string {
  return id === undefined ? `${namespace}/${type}` : `${namespace}/${type}/${id}`;
}
