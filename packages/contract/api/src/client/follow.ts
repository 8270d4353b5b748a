import { Backoff, systemClock, type Clock } from '@nodecore/waiting';
import {
  EventType,
  type Bookmark,
  type Event,
  type Resource,
  type WatchResponse,
} from '../../gen/nodecore-v1.js';
import { ApiError, type ApiErrorCode } from '../errors.ts';
import type { CallOptions } from './channel.ts';
import type { Client } from './connect.ts';

/** One thing that happened to the resources a caller follows. */
export type Change =
  | { readonly kind: 'created' | 'updated' | 'destroyed'; readonly resource: Resource }
  /** Everything that existed at the beginning has been seen; comes once. */
  | { readonly kind: 'bootstrapped' };

export type FollowTarget = { readonly namespace?: string; readonly type: string; readonly id?: string };

export type FollowOptions = CallOptions & {
  /** Called when the connection was lost, before it is made again; not anew while the same is in the way. */
  readonly onInterruption?: (error: unknown) => void;
  readonly clock?: Clock;
};

/** Failures of the connection, after which the same watch can succeed. */
const passing: ReadonlySet<ApiErrorCode> = new Set<ApiErrorCode>([
  'ERR_API_UNREACHABLE',
  'ERR_API_CANCELLED',
  'ERR_API_EXHAUSTED',
]);

/**
 * Follows resources as long as the loop runs. After a lost connection it goes on from the last event; when the node no
 * longer has the events in between, it compares what exists now with what it has reported and reports the difference.
 * Before the first event a failure is thrown; later, only failures that trying again cannot mend are.
 */
export async function* follow(
  client: Pick<Client, 'watch'>,
  target: FollowTarget,
  options: FollowOptions = {},
): AsyncGenerator<readonly Change[], void, void> {
  const { onInterruption = () => {}, clock = systemClock, ...callOptions } = options;
  const view = new View();
  const backoff = new Backoff({ firstMs: 200, largestMs: 5_000 });
  let started = false;
  let told: string | undefined;
  for (;;) {
    try {
      for await (const response of view.accept(
        client.watch({ ...target, bookmark: view.bookmark }, callOptions),
      )) {
        started = true;
        told = undefined;
        backoff.reset();
        if (response.length > 0) yield response;
      }
    } catch (error) {
      callOptions.signal?.throwIfAborted();
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'ERR_API_BOOKMARK') {
        view.startOver();
        continue;
      }
      if (!started || !passing.has(error.code)) throw error;
      if (error.message !== told) onInterruption(error);
      told = error.message;
    }
    await clock.sleep(backoff.next(), callOptions.signal);
  }
}

/** What has been reported so far, so that a second beginning is reported as the difference to it. */
class View {
  readonly #reported = new Map<string, Resource>();
  #bookmark: Bookmark | undefined;
  #bootstrapped = false;
  /** What a second beginning has shown so far; undefined outside of one. */
  #present: Map<string, Resource> | undefined;

  /** Where the next watch goes on; undefined: from the beginning. */
  get bookmark(): Bookmark | undefined {
    return this.#bookmark;
  }

  startOver(): void {
    this.#bookmark = undefined;
  }

  /** The changes in one watch. Ends with the watch, or when the node says that events were lost. */
  async *accept(responses: AsyncIterable<WatchResponse>): AsyncGenerator<readonly Change[], void, void> {
    const again = this.#bookmark === undefined && this.#reported.size + Number(this.#bootstrapped) > 0;
    this.#present = again ? new Map() : undefined;
    for await (const { events } of responses) {
      const lost = events.findIndex(({ type }) => type === EventType.ERRORED);
      yield events.slice(0, lost === -1 ? events.length : lost).flatMap((event) => this.#changesOf(event));
      if (lost !== -1) {
        this.startOver();
        return;
      }
    }
  }

  #changesOf({ type, resource, bookmark }: Event): Change[] {
    const changes = this.#apply(type, resource);
    // In the middle of a beginning there is nowhere to go on from.
    if (this.#bootstrapped && this.#present === undefined) this.#bookmark = bookmark ?? this.#bookmark;
    return changes;
  }

  #apply(type: EventType, resource: Resource | undefined): Change[] {
    if (type === EventType.BOOTSTRAPPED) return this.#endBeginning();
    if (resource?.metadata === undefined) return [];
    const key = `${resource.metadata.namespace}/${resource.metadata.id}`;
    if (this.#present !== undefined) {
      if (type === EventType.DESTROYED) this.#present.delete(key);
      else this.#present.set(key, resource);
      return [];
    }
    const known = this.#reported.has(key);
    if (type === EventType.DESTROYED) {
      this.#reported.delete(key);
      return [{ kind: 'destroyed', resource }];
    }
    this.#reported.set(key, resource);
    return [{ kind: known ? 'updated' : 'created', resource }];
  }

  #endBeginning(): Change[] {
    const changes: Change[] = [];
    if (this.#present !== undefined) {
      for (const [key, resource] of this.#reported) {
        if (!this.#present.has(key)) changes.push({ kind: 'destroyed', resource });
      }
      for (const [key, resource] of this.#present) {
        const before = this.#reported.get(key);
        if (before === undefined) changes.push({ kind: 'created', resource });
        else if (!isSame(before, resource)) changes.push({ kind: 'updated', resource });
      }
      this.#reported.clear();
      for (const [key, resource] of this.#present) this.#reported.set(key, resource);
      this.#present = undefined;
    }
    if (!this.#bootstrapped) changes.push({ kind: 'bootstrapped' });
    this.#bootstrapped = true;
    return changes;
  }
}

/** Versions start anew with the agent, so they are not enough. */
function isSame(a: Resource, b: Resource): boolean {
  return (
    a.metadata?.version === b.metadata?.version &&
    a.metadata?.createdMillis === b.metadata?.createdMillis &&
    Buffer.compare(a.spec, b.spec) === 0
  );
}
