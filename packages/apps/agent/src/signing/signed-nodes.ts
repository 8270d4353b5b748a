import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

import { codeOf, writeFileAtomic } from '@nodecore/sys';
import { type Clock, Serial, Signal } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { isLoopback } from './names.ts';

/** A node that has a certificate of this control plane. */
export type SignedNode = {
  /** Those of its certificate, without loopback; no other node has one of them. */
  readonly names: readonly string[];
  /** Where it asked from. */
  readonly address: string;
  /** When its certificate ends, in milliseconds since the Unix epoch. */
  readonly untilMs: number;
};

export type SignedNodesParts = {
  /** Of the file; rejects while the node has no state. */
  readonly locate: () => Promise<string>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
};

/**
 * The nodes that have certificates of this control plane which are still good. They are on STATE, as nobody else has a list of
 * workers: whoever changes the authority asks for it, so that none is left behind.
 */
export class SignedNodes {
  /** Fires when there is another one. */
  readonly changed: Signal = new Signal();
  readonly #parts: SignedNodesParts;
  readonly #turn = new Serial();
  #known: Promise<readonly SignedNode[]> | undefined;

  constructor(parts: SignedNodesParts) {
    this.#parts = parts;
  }

  /** Before the node gets its certificate. What the disk does not take is known until the agent ends. */
  async add(names: readonly string[], { address, untilMs }: Omit<SignedNode, 'names'>): Promise<void> {
    const own = names.filter((name) => !isLoopback(name));
    await this.#turn.run(async () => {
      const others = (await this.list()).filter((each) => !each.names.some((name) => own.includes(name)));
      const all = [...others, { names: own, address, untilMs }];
      this.#known = Promise.resolve(all);
      try {
        await writeFileAtomic(await this.#parts.locate(), `${JSON.stringify({ nodes: all })}\n`);
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'the list of nodes with a certificate is in memory alone');
      }
    });
    this.changed.notify();
  }

  /** Those whose certificate has not ended. */
  async list(): Promise<readonly SignedNode[]> {
    this.#known ??= this.#read();
    const nowMs = this.#parts.clock.now();
    return (await this.#known).filter(({ untilMs }) => untilMs > nowMs);
  }

  async #read(): Promise<readonly SignedNode[]> {
    try {
      return parse(await readFile(await this.#parts.locate(), 'utf8'));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      this.#parts.log.warn({ err: error }, 'the list of nodes with a certificate can not be read');
      if (codeOf(error) !== undefined) this.#known = undefined; // it may be read the next time
      return [];
    }
  }
}

/** What a node is called: a name before an address. */
export function calledBy({ names }: SignedNode): string {
  return names.find((name) => isIP(name) === 0) ?? names[0] ?? '';
}

/** @throws {SyntaxError | TypeError} for a file that is none. */
function parse(text: string): readonly SignedNode[] {
  const { nodes } = JSON.parse(text) as { readonly nodes?: unknown };
  const isNode = (each: Partial<SignedNode> | null): each is SignedNode =>
    Array.isArray(each?.names) &&
    each.names.every((name) => typeof name === 'string') &&
    typeof each.address === 'string' &&
    typeof each.untilMs === 'number';
  if (!Array.isArray(nodes) || !nodes.every(isNode)) throw new TypeError('it holds no nodes');
  return nodes;
}
