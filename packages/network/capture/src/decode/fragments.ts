import { TwoGenerations } from './two-generations.ts';

/** What the first fragment of a datagram says about the others. */
export type FirstFragment = { readonly sourcePort: number; readonly destinationPort: number };

/** Datagrams in pieces that were seen lately. Nothing is put together: only the ports are remembered. */
export class FragmentTable {
  readonly #first: TwoGenerations<FirstFragment>;

  constructor(limit: number) {
    this.#first = new TwoGenerations(limit);
  }

  static key(source: string, destination: string, identification: number, protocol: number): string {
    return `${source} ${destination} ${identification} ${protocol}`;
  }

  remember(key: string, first: FirstFragment): void {
    this.#first.set(key, first);
  }

  find(key: string): FirstFragment | undefined {
    return this.#first.get(key);
  }
}
