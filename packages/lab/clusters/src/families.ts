/** The addresses that the nodes of a cluster have. */
export type Families = {
  readonly cidr: string;
  /** The network of the addresses of IPv6 that nodes have, of 64 bits. Default none. */
  readonly ipv6?: string;
  /** Nodes have addresses of IPv6 alone; what is counted from `cidr` still is. */
  readonly withoutIpv4?: true;
};
