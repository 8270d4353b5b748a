/** What both ends agree on in TLS before a byte of the link is sent. */
export const protocol = 'fleet-link/1' as const;

/** Where the node API is, as a CONNECT names it. */
export const nodeApiTarget = 'node:50000' as const;

/** What the fleet asks on the link: the machine answers with lines of JSON, or of its log. */
export const paths = {
  /** Of a request, whose lines are answers, and whose response is one Provision message. */
  provision: '/provision',
  events: '/events',
  logs: '/logs',
} as const;
