import type { KeysTried } from '@nodecore/volumes';

import { Tally } from '../tally.ts';

const kinds: readonly KeysTried['failures'][number]['kind'][] = ['kms', 'nodeID', 'static', 'tpm'];

/** How volumes were opened since the agent began, by kind of key. */
export class KeyTallies {
  readonly unlocks: Tally = new Tally(kinds);
  readonly failures: Tally = new Tally(kinds);

  add({ opener, failures }: KeysTried): void {
    if (opener !== undefined) this.unlocks.add(opener);
    for (const { kind } of failures) this.failures.add(kind);
  }
}
