import { type Controller, every, type Input } from '@nodecore/runtime';
import { fieldsOf } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import { machineSequences, machineStatuses } from '../lifecycle/definitions.ts';
import type { MachineStatus } from '../lifecycle/machine-status.ts';
import type { Log } from '../log.ts';
import { maintenanceStatuses } from '../maintenance/definitions.ts';
import { hostnameStatuses } from '../names/definitions.ts';
import { kindOf } from '../resources/definitions.ts';
import { drawn, type PageFacts, type PageSize, statusPage } from './status-page.ts';

const page = 'page';
/** Nothing announces an address or a certificate. */
const lookMs = 2000;
/** What somebody else wrote over the page stays no longer. */
const freshMs = 60_000;

const machine = { ...kindOf(machineStatuses), id: 'machine' };
const sequence = { ...kindOf(machineSequences), id: 'machine' };
const maintenance = { ...kindOf(maintenanceStatuses), id: 'maintenance' };
const hostname = { ...kindOf(hostnameStatuses), id: 'hostname' };

export type ConsoleParts = {
  readonly log: Log;
  readonly clock: Clock;
  /** Opened at the first page; undefined where the machine has no such terminal. */
  readonly terminal: () => Promise<
    { size(): Promise<PageSize>; write(text: string): Promise<boolean> } | undefined
  >;
  /** What no resource has. */
  readonly facts: () => Promise<
    Pick<PageFacts, 'version' | 'addresses' | 'port' | 'fingerprint'> & { readonly hostname: string }
  >;
};

/** Keeps the page on the terminal like what the node says of itself. */
export function consoleController({ log, clock, terminal, facts }: ConsoleParts): Controller {
  const inputs = [machine, sequence, maintenance, hostname].map((key): Input => {
    return { ...key, strength: 'weak', items: () => [page] };
  });
  let shown = { text: '', atMs: -Infinity };
  return {
    name: 'console',
    inputs,
    outputs: [],
    outside: every(lookMs, clock, page),
    reconcile: async (_item, access) => {
      const screen = await terminal();
      if (screen === undefined) return;
      const own = await facts();
      const name = fieldsOf((await access.get(hostname))?.spec ?? {})['hostname'];
      const status = fieldsOf((await access.get(maintenance))?.spec ?? {});
      const begun = fieldsOf((await access.get(sequence))?.spec ?? {})['sequence'];
      const lines = statusPage(
        {
          ...own,
          hostname: typeof name === 'string' ? name : own.hostname,
          fingerprint: textOf(status['fingerprint']) ?? own.fingerprint,
          maintenance: textOf(status['reason']),
          machine: (await access.get(machine))?.spec as MachineStatus | undefined,
          sequence: textOf(begun),
        },
        await screen.size(),
      );
      const text = drawn(lines);
      const isFresh = clock.now() - shown.atMs < freshMs;
      if (text === shown.text && isFresh) return;
      try {
        if (await screen.write(text)) shown = { text, atMs: clock.now() };
      } catch (error) {
        log.debug({ code: codeOf(error) }, 'the status page is not shown');
      }
    },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
