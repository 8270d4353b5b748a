import { type Controller, onEach, type Outside, together } from '@nodecore/runtime';
import type { Signal } from '@nodecore/waiting';

import { machineStatuses } from '../lifecycle/definitions.ts';
import { kindOf } from '../resources/definitions.ts';
import { extensionStatuses } from '../system/definitions.ts';
import { linkStatuses } from './definitions.ts';
import type { Link } from './link.ts';

const statusItem = 'status';
/** What the node says of itself to its fleet. */
const factsItem = 'facts';

export type LinkControllerParts = {
  readonly link: Pick<Link, 'status' | 'statusChanges'>;
  /** Keeps the link until the signal fires: a session is a stream, and no item. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Fires when the node API shows another certificate. */
  readonly certificate: Pick<Signal, 'next'>;
  /** Called when the facts may be others. */
  readonly factsChanged: () => void;
};

/** Keeps the link to the fleet, shows how it stands, and has the fleet told when the node says something else of itself. */
export function linkController({ link, run, certificate, factsChanged }: LinkControllerParts): Controller {
  const certificates: Outside = async (wake, signal) => {
    while (!signal.aborted) {
      await certificate.next(signal).catch(() => {}); // the loop asks the signal
      if (!signal.aborted) wake(factsItem);
    }
  };
  return {
    name: 'link',
    inputs: [machineStatuses, extensionStatuses].map((definition) => ({
      ...kindOf(definition),
      strength: 'weak',
      items: () => [factsItem],
    })),
    outputs: [{ ...kindOf(linkStatuses), mode: 'exclusive' }],
    outside: together(
      (_, signal) => run(signal),
      onEach((signal) => link.statusChanges(signal), statusItem),
      certificates,
    ),
    reconcile: async (item, access) => {
      if (item === factsItem) return factsChanged();
      const { status } = link;
      await access.replace(kindOf(linkStatuses), new Map(status === undefined ? [] : [['link', status]]));
    },
  };
}
