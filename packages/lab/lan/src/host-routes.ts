import { parsePrefix } from '@nodecore/sys';

import { run } from './run.ts';

/** A destination of this computer: a network that it has a route to, or an address that it has. */
export type HostRoute = { readonly destination: string; readonly device: string };

/** All that this computer's tables lead to, by networks and addresses of both families; default routes are none of these. */
export async function hostRoutes(): Promise<readonly HostRoute[]> {
  const listed = JSON.parse(await run(['ip', '-j', 'route', 'show', 'table', 'all'])) as readonly {
    readonly dst?: string;
    readonly dev?: string;
  }[];
  return listed.flatMap(({ dst = 'default', dev = 'no device' }) =>
    isWhole(dst) ? [] : [{ destination: dst, device: dev }],
  );
}

/** The first route to an address of a network that leads anywhere but over one device. Pure. */
export function overlapping(
  routes: readonly HostRoute[],
  network: string,
  device: string,
): HostRoute | undefined {
  return routes.find((route) => route.device !== device && overlap(route.destination, network));
}

/** A tunnel for everything has two halves in place of a default route. */
function isWhole(destination: string): boolean {
  return destination === 'default' || /\/[01]$/.test(destination);
}

function overlap(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => parsePrefix(wholePrefix(text)));
  if (a === undefined || b === undefined || a.address.family !== b.address.family) return false;
  const width = a.address.family === 'ipv4' ? 32 : 128;
  const rest = BigInt(width - Math.min(a.bits, b.bits));
  return a.address.value >> rest === b.address.value >> rest;
}

function wholePrefix(text: string): string {
  if (text.includes('/')) return text;
  return `${text}/${text.includes(':') ? 128 : 32}`;
}
