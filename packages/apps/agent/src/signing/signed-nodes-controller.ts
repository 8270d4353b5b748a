import { type Controller, lookAgain } from '@nodecore/runtime';

import { kindOf } from '../resources/definitions.ts';
import { signedNodes } from './definitions.ts';
import { calledBy, type SignedNodes } from './signed-nodes.ts';

const item = 'nodes';
/** How often those whose certificate has ended are left out. */
const lookMs = 60_000;

/** Publishes which nodes have certificates of this control plane. */
export function signedNodesController(signed: SignedNodes, isOpen: () => boolean): Controller {
  return {
    name: 'signed-nodes',
    inputs: [],
    outputs: [{ ...kindOf(signedNodes), mode: 'exclusive' }],
    outside: async (wake, signal) => {
      try {
        for (;;) {
          wake(item);
          await signed.changed.wait(signal);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    reconcile: async (_, access) => {
      const nodes = isOpen() ? await signed.list() : [];
      const specs = nodes.map((each) => {
        const { names, address, untilMs } = each;
        return [
          calledBy(each),
          { names: [...names], address, until: new Date(untilMs).toISOString() },
        ] as const;
      });
      await access.replace(kindOf(signedNodes), new Map(specs));
      return lookAgain(lookMs);
    },
  };
}
