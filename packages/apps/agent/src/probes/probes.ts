import type { Configuration } from '@nodecore/config';
import { type Controller, lookAgain } from '@nodecore/runtime';
import { fieldsOf, type Json } from '@nodecore/state';
import type { Clock } from '@nodecore/waiting';

import { kindOf } from '../resources/definitions.ts';
import type { ProbeTarget } from './attempt.ts';
import { probeSpecs, probeStatuses } from './definitions.ts';

export type ProbeParts = {
  readonly clock: Clock;
  readonly attempt: (target: ProbeTarget, signal: AbortSignal) => Promise<string | undefined>;
  /** Random number in [0, 1): probes of many nodes are not to come at once. */
  readonly random?: () => number;
};

/** What the documents of a configuration want probed, by name; the two kinds have names of their own. */
export function wantedProbes(configuration: Configuration): ReadonlyMap<string, Json> {
  const probes = new Map<string, Json>();
  for (const { name, endpoint, ...rest } of configuration.all('TCPProbeConfig')) {
    const { host, port } = endpoint;
    probes.set(`tcp-${name}`, { ...times(rest), kind: 'tcp', target: endpoint.text, host, port });
  }
  for (const { name, url, ...rest } of configuration.all('HTTPProbeConfig'))
    probes.set(`http-${name}`, { ...times(rest), kind: 'http', target: url.href });
  return probes;
}

type Times = {
  readonly interval: { readonly ms: number };
  readonly timeout: { readonly ms: number };
  readonly failureThreshold: number;
};

function times({ interval, timeout, failureThreshold }: Times): { readonly [name: string]: Json } {
  return { intervalMs: interval.ms, timeoutMs: timeout.ms, failureThreshold };
}

const mostAtOnce = 64;

/** Tries what is wanted, again and again. A failure counts when more than the threshold came in a row. */
export function probeController({ clock, attempt, random = Math.random }: ProbeParts): Controller {
  return {
    name: 'probes',
    inputs: [{ ...kindOf(probeSpecs), strength: 'weak' }],
    outputs: [{ ...kindOf(probeStatuses), mode: 'exclusive' }],
    concurrency: mostAtOnce,
    reconcile: async (id, access, signal) => {
      const key = { ...kindOf(probeStatuses), id };
      const spec = await access.get({ ...kindOf(probeSpecs), id });
      if (spec === undefined) {
        await access.destroy(key);
        return undefined;
      }
      const { intervalMs, timeoutMs, failureThreshold, ...target } = fieldsOf(spec.spec);
      const lastError = await tryOnce(clock, attempt, toTarget(target), Number(timeoutMs), signal);
      const before = fieldsOf((await access.get(key))?.spec ?? null);
      const failures = lastError === undefined ? 0 : Number(before['failures'] ?? 0) + 1;
      const success = failures === 0 || (failures <= Number(failureThreshold) && before['success'] !== false);
      await access.modify(key, () => ({ success, failures, lastError: lastError ?? '' }));
      return lookAgain(Number(intervalMs) * (0.9 + 0.2 * random()));
    },
  };
}

async function tryOnce(
  clock: Clock,
  attempt: ProbeParts['attempt'],
  target: ProbeTarget,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const [limit, over] = [new AbortController(), new AbortController()];
  clock.sleep(timeoutMs, AbortSignal.any([over.signal, stopping])).then(
    () => limit.abort(new Error(`no answer in ${timeoutMs} ms`)),
    () => {}, // answered in time, or nobody asks any more
  );
  try {
    return await attempt(target, AbortSignal.any([limit.signal, stopping]));
  } finally {
    over.abort();
  }
}

function toTarget({ kind, target, host, port }: { readonly [name: string]: Json | undefined }): ProbeTarget {
  if (kind === 'tcp') return { kind, host: host as string, port: Number(port) };
  return { kind: 'http', url: target as string };
}
