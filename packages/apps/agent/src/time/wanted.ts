import type { TimeSources } from '@nodecore/host';
import type { Configuration } from '@nodecore/config';
import { fieldsOf, type Json, type Resource } from '@nodecore/state';

/** Asked when neither the configuration nor the network names anybody: its answers are authenticated. */
export const publicServer = 'time.cloudflare.com';

/** What is wanted, and how long the machine waits for it. */
export type WantedTime = {
  /** Undefined: the clock is left alone. */
  readonly sources: TimeSources | undefined;
  /** A boot waits so long for the right time; 0: for ever; undefined: not at all. */
  readonly bootTimeoutSeconds: number | undefined;
};

/** What the document of a configuration wants. */
export function timeSpec(configuration: Configuration): Json {
  const document = configuration.get('TimeSyncConfig');
  if (document === undefined) return { enabled: true, servers: [], clocks: [] };
  const { enabled, bootTimeout, ntp, ptp } = document;
  return {
    enabled,
    servers: [...(ntp?.servers ?? [])],
    useNTS: ntp?.useNTS ?? false,
    clocks: [...(ptp?.devices ?? [])],
    bootTimeoutSeconds: bootTimeout.ms / 1000,
  };
}

/** @param leases what the networks of the machine say. */
export function wantedTime(spec: Json, leases: readonly Resource[]): WantedTime {
  const fields = fieldsOf(spec);
  const { enabled, bootTimeoutSeconds } = fields;
  const timeout = typeof bootTimeoutSeconds === 'number' ? bootTimeoutSeconds : undefined;
  if (enabled !== true) return { sources: undefined, bootTimeoutSeconds: undefined };
  const [servers, clocks] = [texts(fields['servers']), texts(fields['clocks'])];
  const isAuthenticated = fields['useNTS'] === true;
  const sources = (): TimeSources => {
    if (servers.length > 0 || clocks.length > 0) return { servers, clocks, isAuthenticated };
    const offered = [...new Set(leases.flatMap((lease) => texts(fieldsOf(lease.spec)['timeServers'])))];
    // What the network says is never authenticated.
    if (offered.length > 0 && !isAuthenticated) return { servers: offered, clocks, isAuthenticated };
    return { servers: [publicServer], clocks, isAuthenticated: true };
  };
  return { sources: sources(), bootTimeoutSeconds: timeout };
}

/** Who is asked for the time where nobody is named: whom the clock follows, or would follow. */
export function usualSource(spec: Json | undefined, leases: readonly Resource[]): string {
  const sources = spec === undefined ? undefined : wantedTime(spec, leases).sources;
  return sources?.servers[0] ?? sources?.clocks[0] ?? publicServer;
}

function texts(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}
