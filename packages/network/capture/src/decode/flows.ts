import { TwoGenerations } from './two-generations.ts';

/** Where the sequence numbers of a TCP connection begin, per direction. */
export type Flow = {
  /** Sender of the packet that was seen first. */
  readonly origin: string;
  /** Sequence number that counts as 0 from the origin, and from the other end once something is known of it. */
  forward: number;
  backward: number | undefined;
};

/** Connections that were seen lately, found from either end. */
export class FlowTable {
  readonly #flows: TwoGenerations<Flow>;

  constructor(limit: number) {
    this.#flows = new TwoGenerations(limit);
  }

  /** The flow between two ends, `from` being the sender of this packet. */
  find(from: string, to: string): Flow | undefined {
    return this.#flows.get(from < to ? `${from} ${to}` : `${to} ${from}`);
  }

  begin(from: string, to: string, forward: number, backward: number | undefined): void {
    this.#flows.set(from < to ? `${from} ${to}` : `${to} ${from}`, { origin: from, forward, backward });
  }
}
