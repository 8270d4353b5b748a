import { HostError } from '@nodecore/host';
import { type Controller, waitFor } from '@nodecore/runtime';
import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import { configured, everything } from '../applied/applied-controller.ts';
import { leaseNames } from '../dhcp/definitions.ts';
import { kindOf } from '../resources/definitions.ts';
import type { Chronyd, ClockReport } from './chronyd.ts';
import { timeStatuses, timeSyncConfigs } from './definitions.ts';
import { wantedTime } from './wanted.ts';

export type TimeSyncParts = {
  readonly clock: Clock;
  /** Undefined where the clock is the host's own. */
  readonly chronyd: Pick<Chronyd, 'follow' | 'stop' | 'report'> | undefined;
  /** PEM of whom a server may be vouched for by, beside the public ones. */
  readonly authorities: () => readonly string[];
  /** Milliseconds of a clock that nobody sets. */
  readonly monotonicMs?: () => number;
  /** The clock of the machine. */
  readonly wallMs?: () => number;
};

const [soonMs, laterMs] = [5000, 30_000];
/** A jump of this much is another time, not the same one corrected. */
const jumpMs = 15 * 60_000;
/** What others call the same time. */
const closeSeconds = 0.5;

/** Has the clock of the machine follow the wanted servers, and publishes how well it does. */
export function timeSyncController(parts: TimeSyncParts): Controller {
  const { clock, monotonicMs = () => performance.now(), wallMs = () => Date.now() } = parts;
  const began = monotonicMs();
  let isClose = false;
  let wasClose = false;
  let epoch = 0;
  let aheadMs = wallMs() - monotonicMs();
  const input = { strength: 'weak', items: () => [everything] } as const;
  return {
    name: 'time-sync',
    inputs: [
      { ...kindOf(timeSyncConfigs), id: configured, ...input },
      { ...kindOf(leaseNames), ...input },
    ],
    outputs: [{ ...kindOf(timeStatuses), mode: 'exclusive' }],
    outside: async (wake, signal) => {
      for (;;) {
        await clock.sleep(isClose ? laterMs : soonMs, signal);
        wake(everything);
      }
    },
    reconcile: async (_item, access) => {
      const spec = await access.get({ ...kindOf(timeSyncConfigs), id: configured });
      if (spec === undefined) return undefined;
      const wanted = wantedTime(spec.spec, await access.list(kindOf(leaseNames)));
      const { error, report } = await make(parts, wanted.sources);
      isClose = isRight(report);
      wasClose ||= isClose;
      const nowAheadMs = wallMs() - monotonicMs();
      if (Math.abs(nowAheadMs - aheadMs) > jumpMs) epoch++;
      aheadMs = nowAheadMs;
      const isDisabled = wanted.sources === undefined;
      const limit = wanted.bootTimeoutSeconds;
      const isLate = limit !== undefined && limit > 0 && monotonicMs() - began > limit * 1000;
      const ready = isDisabled || limit === undefined || wasClose || isLate;
      const { tracking, sources = [] } = report ?? {};
      const status: Json = {
        synced: isClose,
        ready,
        epoch,
        syncDisabled: isDisabled,
        hostClock: parts.chronyd === undefined,
        ...(tracking?.source !== undefined && {
          source: tracking.source,
          stratum: tracking.stratum,
          offsetSeconds: tracking.offsetSeconds,
          frequencyPpm: tracking.frequencyPpm,
        }),
        sources: sources.map((source) => ({ ...source })),
        ...(error !== undefined && { error }),
      };
      await access.replace(kindOf(timeStatuses), new Map([['node', status]]));
      const isMissing = error !== undefined && parts.chronyd !== undefined;
      return isMissing ? waitFor(error, { retryMs: soonMs }) : undefined;
    },
  };
}

type Made = { readonly error?: string; readonly report?: ClockReport | undefined };

async function make(
  { chronyd, authorities }: TimeSyncParts,
  sources: Parameters<Chronyd['follow']>[0] | undefined,
): Promise<Made> {
  if (chronyd === undefined) return { error: 'this host keeps its own clock' };
  try {
    if (sources === undefined) {
      await chronyd.stop();
      return {};
    }
    await chronyd.follow(sources, authorities());
    return { report: await chronyd.report() };
  } catch (error) {
    if (error instanceof HostError) return { error: error.message };
    if (codeOf(error) === 'ENOENT') return { error: 'chronyc is not on this machine' };
    throw error;
  }
}

function isRight(report: ClockReport | undefined): boolean {
  const { tracking } = report ?? {};
  return tracking?.source !== undefined && Math.abs(tracking.offsetSeconds) < closeSeconds;
}
