import type { InjectionMethod } from './injection-method.ts';

/** Flags that machines with two cables to routers, and none to the network of the cluster, don't go with. */
export type ClosFlags = {
  readonly withBgpClos: boolean;
  readonly useVip: boolean;
  readonly ipv4: boolean;
  readonly ipv6: boolean;
  readonly withNetworkChaos: boolean;
  readonly skipInjectingConfig: boolean;
  readonly withApplyConfig: boolean;
};

/** How such machines find their configuration, before they have any address. */
export const closInjection: InjectionMethod = 'metal-iso';

/** What keeps such machines from what else is asked for goes to `problems`. @param injection as it was typed; empty where it was not */
export function checkClos(flags: ClosFlags, injection: string, problems: string[]): void {
  if (!flags.withBgpClos) return;
  const others: readonly (readonly [is: boolean, flag: string, why: string])[] = [
    [flags.useVip, '--use-vip', 'the control plane shares host 50 anyway'],
    [!flags.ipv4 || flags.ipv6, '--ipv4=false and --ipv6', 'addresses behind routers are of IPv4'],
    [flags.withNetworkChaos, '--with-network-chaos', 'no machine is at the bridge'],
    [
      flags.skipInjectingConfig || flags.withApplyConfig,
      '--skip-injecting-config and --with-apply-config',
      'nobody reaches a machine without a configuration',
    ],
    [
      !['', 'default', closInjection].includes(injection),
      `--config-injection-method ${injection}`,
      `machines have no address before they have their configuration: ${closInjection}`,
    ],
  ];
  for (const [is, flag, why] of others) if (is) problems.push(`--with-bgp-clos: not with ${flag}: ${why}`);
}
