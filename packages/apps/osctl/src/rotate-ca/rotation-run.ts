import type { Tell } from '@nodecore/cli';
import { ApiError } from '@nodecore/api';
import { policyOf } from '@nodecore/sys/pure';
import { Backoff, type Clock } from '@nodecore/waiting';

import { bundle } from './certificates.ts';
import type { ConfiguredNode, Operation } from './configured.ts';
import { RotationError } from './errors.ts';
import type { Seen } from './look.ts';
import { inOrder, type Row } from './plan.ts';
import { isAhead, operationsOf, type Replacement, standingOf, type Step, steps } from './replacement.ts';
import type { Credentials } from './rotating-node.ts';
import type { Pair } from './rotation-file.ts';

export type RotationRunParts = {
  readonly seen: readonly Seen[];
  readonly replacements: readonly Replacement[];
  /** Of the administrator; undefined when the authority of the node API stays. */
  readonly client: { readonly former: Pair; readonly next: Pair } | undefined;
  readonly rows: readonly Row[];
  /** The last step. */
  readonly until: Step;
  /** Changes the client config, as a step has it. */
  readonly saveClient: (step: Step) => Promise<void>;
  readonly timeoutMs: number;
  readonly tell: Tell;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/**
 * Makes the steps that are left, one after the other on all nodes. A step is done on a node when a handshake has shown it; the next
 * one begins when it is done on every node. What is done is read from the nodes, so a run that was cut off anywhere goes on.
 */
export class RotationRun {
  readonly #parts: RotationRunParts;
  readonly #os: Replacement | undefined;

  constructor(parts: RotationRunParts) {
    this.#parts = parts;
    this.#os = parts.replacements.find(({ name }) => name === 'os');
  }

  /** @throws {RotationError} `ERR_ROTATION_TIMEOUT` when a step does not show in time. */
  async run(): Promise<void> {
    const { until, saveClient } = this.#parts;
    for (const step of steps.slice(0, steps.indexOf(until) + 1)) {
      if (step === 'drop') await this.#proveAll();
      await this.#onNodes(step);
      if (this.#os === undefined) continue;
      await saveClient(step);
      for (const row of this.#parts.rows) if (row.type === 'client' && row.step === step) row.state = 'done';
    }
  }

  /** Those that issue one after the other, as their certificate changes at once; workers wait for them, all at the same time. */
  async #onNodes(step: Step): Promise<void> {
    const seen = inOrder(this.#parts.seen);
    const planes = seen.filter(({ configuration }) => step === 'issue' && configuration.isControlPlane);
    for (const each of planes) await this.#onNode(step, each);
    await settled(seen.filter((each) => !planes.includes(each)).map((each) => this.#onNode(step, each)));
  }

  async #onNode(step: Step, { node, credentials }: Seen): Promise<void> {
    const { replacements, tell } = this.#parts;
    // From the second step on everybody lets the new client in.
    const shown = this.#os === undefined || step === 'accept' ? credentials : this.#next(this.#both);
    const operationsFor = (configuration: ConfiguredNode): readonly Operation[] =>
      replacements.flatMap((replacement) => {
        const configured = configuration.authority(replacement.name);
        if (configured === undefined) return [];
        const standing = standingOf(configured, replacement, node.name);
        if (step === 'drop' && standing.own === 'former')
          throw new RotationError(
            'ERR_ROTATION_NODE',
            `${node.name}: it issues with the former authority again`,
          );
        if (!isAhead(step, standing)) return [];
        tell(node.name, `${words[step]} (${replacement.name})`);
        return operationsOf(step, configured, replacement, configuration.isControlPlane);
      });
    // A node ends the connections of whom it may not let in again, also the one that has brought this: what it did is read then.
    await this.#wait(node, 'takes its configuration', () => node.change(shown, operationsFor), isLost);
    await this.#shown(step, node);
    for (const row of this.#parts.rows)
      if (row.node === node.name && row.step === step && row.state === 'planned') row.state = 'done';
  }

  /** A handshake, as only it says what a node does now. */
  async #shown(step: Step, node: Seen['node']): Promise<void> {
    const { client } = this.#parts;
    if (this.#os === undefined || client === undefined) return;
    const { former, next } = this.#os;
    if (step === 'accept')
      return await this.#wait(node, 'lets clients of the new authority in', () =>
        node.prove(this.#next(this.#both)),
      );
    await this.#wait(node, 'shows a certificate of the new authority', () =>
      node.prove(this.#next(next.crt)),
    );
    if (step !== 'drop') return;
    await this.#wait(node, 'refuses clients of the former authority', async () => {
      const isRefused = await node.refuses({ ...client.former, ca: bundle(next.crt, former) });
      if (!isRefused) throw new RotationError('ERR_ROTATION_NODE', 'it lets them in');
    });
  }

  /** Before what can't be taken back: every node answers, and shows what step two has made. */
  async #proveAll(): Promise<void> {
    await settled(this.#parts.seen.map(({ node }) => this.#shown('issue', node)));
  }

  async #wait(
    node: Seen['node'],
    what: string,
    attempt: () => Promise<unknown>,
    mayPass: (error: unknown) => boolean = isAnswer,
  ): Promise<void> {
    const { clock, timeoutMs, signal, tell } = this.#parts;
    const backoff = new Backoff({ firstMs: 100, largestMs: 2_000 });
    const endMs = clock.now() + timeoutMs;
    let told = '';
    for (;;) {
      try {
        await attempt();
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (!mayPass(error)) throw error;
        const why = wordsOf(error, node);
        if (clock.now() >= endMs)
          throw new RotationError(
            'ERR_ROTATION_TIMEOUT',
            `${node.name}: waited too long until it ${what}: ${why}`,
            {
              cause: error,
            },
          );
        if (why !== told) tell(node.name, `waits until it ${what}: ${why}`);
        told = why;
      }
      await clock.sleep(backoff.next(), signal);
    }
  }

  get #both(): string {
    return this.#os === undefined ? '' : bundle(this.#os.next.crt, this.#os.former);
  }

  #next(ca: string): Credentials {
    const { client } = this.#parts;
    if (client === undefined) throw new TypeError('the authority of the node API stays');
    return { ...client.next, ca };
  }
}

const words: Readonly<Record<Step, string>> = {
  accept: 'accepts the new authority',
  issue: 'takes the new authority',
  drop: 'accepts the former authority no more',
};

/** What a proof may be answered with until the node is as far. */
function isAnswer(error: unknown): boolean {
  return error instanceof ApiError || error instanceof RotationError;
}

/** That nobody knows whether the node has done it. */
function isLost(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.code === 'ERR_API_CANCELLED' || policyOf(error)?.retry === 'helps')
  );
}

/** Without the node, which is named in front of it. */
function wordsOf(error: unknown, { name, endpoint }: Seen['node']): string {
  const message = error instanceof Error ? error.message : String(error);
  const address = [endpoint, name].find((each) => message.startsWith(`${each}: `));
  return address === undefined ? message : message.slice(address.length + 2);
}

/** All of them end; then the first failure is thrown. */
async function settled(all: readonly Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(all);
  const failed = outcomes.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
