import type { Configuration } from '@nodecore/config';
import type { DeviceNodes, DeviceRule } from '@nodecore/host';
import { UeventSocket } from '@nodecore/native';
import type { Controller } from '@nodecore/runtime';
import { fieldsOf, type Json } from '@nodecore/state';
import { type Clock, onAbort } from '@nodecore/waiting';

import { appliedController, everything } from '../applied/applied-controller.ts';
import { udevRuleConfigs, udevRuleStatuses } from './definitions.ts';

/** Devices that come together are looked at together. */
const togetherMs = 200;

/** What the document of a configuration wants. */
export function wantedRules(configuration: Configuration): Json {
  const { rules = [] } = configuration.get('UdevRulesConfig') ?? {};
  return {
    rules: rules.map(({ text, matches, actions }) => ({
      text,
      matches: matches.map((match) => ({ ...match })),
      actions: actions.map((action) => ({ ...action })),
    })),
  };
}

export type DeviceRulesParts = {
  readonly nodes: Pick<DeviceNodes, 'apply'>;
  readonly clock: Clock;
  /** Calls for each announcement of the kernel until the signal fires; its own socket by default. */
  readonly announcements?: (announced: () => void, signal: AbortSignal) => Promise<void>;
};

/** Gives devices the permissions, links and names that rules say, those that come later, too. */
export function deviceRulesController({
  nodes,
  clock,
  announcements = listen,
}: DeviceRulesParts): Controller {
  return appliedController({
    name: 'device-rules',
    specs: [udevRuleConfigs],
    statuses: udevRuleStatuses,
    apply: async ([config]) => {
      const rules = (fieldsOf(config?.spec ?? null)['rules'] ?? []) as unknown as readonly DeviceRule[];
      const statuses = new Map<string, Json>();
      let waitsFor: string | undefined;
      for (const [index, { rule, devices, error }] of (await nodes.apply(rules)).entries()) {
        const id = String(index + 1).padStart(3, '0');
        statuses.set(id, { rule, devices: [...devices], ...(error && { error: error.message }) });
        waitsFor ??= error?.message;
      }
      return { statuses, waitsFor };
    },
    outside: async (wake, signal) => {
      let isWaiting = false;
      const look = async (): Promise<void> => {
        if (isWaiting) return;
        isWaiting = true;
        await clock.sleep(togetherMs, signal).catch(() => {}); // when the agent ends nobody is woken
        isWaiting = false;
        wake(everything);
      };
      await announcements(() => void look(), signal);
    },
    retryMs: 30_000,
  });
}

async function listen(announced: () => void, signal: AbortSignal): Promise<void> {
  const socket = UeventSocket.open();
  using _closing = onAbort(signal, () => socket.close());
  try {
    while ((await socket.receive()) !== undefined) announced();
  } finally {
    socket.close();
  }
}
