/** A program of this computer that serves the nodes at the gateway. */
export type GatewayService = 'bgp' | 'bgp-clos' | 'lldp' | 'nfs';

/** Whether the machines have two cables to routers in place of one to the network of the cluster. */
export function isClos({ services = [] }: { readonly services?: readonly GatewayService[] }): boolean {
  return services.includes('bgp-clos');
}

/** The flags of such services as they were typed. */
export type ServiceFlags = {
  readonly withBgp: boolean;
  readonly withBgpClos: boolean;
  readonly withLldp: boolean;
  readonly withNfs: boolean;
};

/** What the gateway serves; what is wrong with the flags goes to `problems`. */
export function readGatewayServices(flags: ServiceFlags, problems: string[]): readonly GatewayService[] {
  if (flags.withBgp && flags.withBgpClos)
    problems.push('--with-bgp and --with-bgp-clos: a cluster has one fabric');
  return [
    ...(flags.withBgp ? ['bgp' as const] : []),
    ...(flags.withBgpClos ? ['bgp-clos' as const] : []),
    ...(flags.withLldp ? ['lldp' as const] : []),
    ...(flags.withNfs ? ['nfs' as const] : []),
  ];
}

/** What nodes do not do yet with what is served, a line each. */
export function serviceNotes({ withBgpClos, withLldp, withNfs }: ServiceFlags): readonly string[] {
  return [
    ...(withBgpClos
      ? [
          '--with-bgp-clos: nodes of this version exchange no routes: nobody reaches their API, and nothing waits for it',
        ]
      : []),
    ...(withLldp
      ? ['--with-lldp: the gateway says who it is, and nodes of this version neither listen nor answer']
      : []),
    ...(withNfs
      ? ['--with-nfs: nodes of this version mount nothing by NFS themselves; their workloads may']
      : []),
  ];
}
