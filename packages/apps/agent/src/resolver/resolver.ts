import { type Controller, waitFor } from '@nodecore/runtime';
import { fieldsOf, type Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import { everything } from '../applied/applied-controller.ts';
import { leaseNames } from '../dhcp/definitions.ts';
import { hostnameStatuses } from '../names/definitions.ts';
import { kindOf } from '../resources/definitions.ts';
import { dnsUpstreams, resolverSpecs, resolverStatuses } from './definitions.ts';
import type { HostDns } from './host-dns.ts';
import { resolvConf, type WantedResolver, wantedResolver } from './wanted.ts';

export type ResolverParts = {
  readonly clock: Clock;
  readonly hostDns: HostDns;
  /** PEM of whom TLS trusts beside the public ones. */
  readonly authorities: () => readonly string[];
  /** Writes resolv.conf; undefined where that is the host's own. */
  readonly write: ((text: string) => Promise<void>) | undefined;
};

/** How the name servers do is told so often. */
const lookMs = 10_000;

/** Has programs of the node ask who is wanted, through a resolver of its own where that is wanted. */
export function resolverController(parts: ResolverParts): Controller {
  return {
    name: 'resolver',
    inputs: [resolverSpecs, leaseNames, hostnameStatuses].map((each) => ({
      ...kindOf(each),
      strength: 'weak' as const,
      items: () => [everything],
    })),
    outputs: [resolverStatuses, dnsUpstreams].map((each) => ({
      ...kindOf(each),
      mode: 'exclusive' as const,
    })),
    outside: async (wake, signal) => {
      for (;;) {
        await parts.clock.sleep(lookMs, signal);
        wake(everything);
      }
    },
    reconcile: async (_item, access) => {
      const specs = await access.list(kindOf(resolverSpecs));
      if (specs.length === 0) return undefined;
      const leases = await access.list(kindOf(leaseNames));
      const [name] = await access.list(kindOf(hostnameStatuses));
      const { domainname = '' } = fieldsOf(name?.spec ?? null);
      const wanted = wantedResolver([...specs, ...leases], typeof domainname === 'string' ? domainname : '');
      const error =
        parts.write === undefined ? 'this host keeps its own resolver' : await make(parts, wanted);
      const servers = wanted.nameservers.map(({ address }) => address);
      const status: Json = {
        dnsServers: servers,
        searchDomains: [...wanted.searchDomains],
        hostDns: parts.hostDns.address !== undefined,
        ...(error !== undefined && { error }),
      };
      await access.replace(kindOf(resolverStatuses), new Map([['resolvers', status]]));
      await access.replace(kindOf(dnsUpstreams), upstreamSpecs(parts.hostDns));
      const isMissing = error !== undefined && parts.write !== undefined;
      return isMissing ? waitFor(error, { retryMs: lookMs }) : undefined;
    },
  };
}

/** @returns why the node's own resolver does not answer, where it is wanted. */
async function make(parts: ResolverParts, wanted: WantedResolver): Promise<string | undefined> {
  const { hostDns, authorities, write } = parts;
  const plain = wanted.nameservers
    .filter(({ protocol }) => protocol === 'Do53')
    .map(({ address }) => address);
  let error: string | undefined;
  try {
    if (wanted.hostDns) await hostDns.answer(wanted.nameservers, authorities());
    else await hostDns.stop();
  } catch (failure) {
    if (codeOf(failure) === undefined) throw failure;
    error = (failure as Error).message;
  }
  // Never in clear what was to be asked encrypted: without the resolver nobody speaks that.
  const servers = wanted.hostDns ? [hostDns.address?.address ?? []].flat() : plain;
  await write?.(resolvConf(servers, wanted.searchDomains));
  return error;
}

function upstreamSpecs({ health }: HostDns): ReadonlyMap<string, Json> {
  return new Map(
    health.map(({ name, isHealthy, answers, failures, lastError }, index) => [
      `#${String(index).padStart(3, '0')} ${name}`,
      {
        address: name,
        healthy: isHealthy,
        answers,
        failures,
        ...(lastError && { lastError: lastError.message }),
      },
    ]),
  );
}
