import type { Terminal } from '@nodecore/cli';
import { connectFleet, type FleetClient, signer, unsigned } from '@nodecore/fleet-api';

import { type FleetContext, Fleetconfig, fleetconfigPath } from './config/fleetconfig.ts';
import type { GlobalFlags } from './flags.ts';

/** The client config that the flags mean. */
export async function loadConfig(flags: GlobalFlags, { env }: Pick<Terminal, 'env'>): Promise<Fleetconfig> {
  return await Fleetconfig.load(fleetconfigPath(flags.fleetconfig, env));
}

/** A client of the context that the flags mean, whose key signs every call. The caller closes it. */
export async function openFleet(
  flags: GlobalFlags,
  { env }: Pick<Terminal, 'env'>,
): Promise<{ readonly context: FleetContext; readonly client: FleetClient }> {
  const context = (await loadConfig(flags, { env })).context(flags.context);
  const { name, identity } = context;
  const sign = signer({ flag: flags.authv1KeysDir, env }, { context: name, identity });
  return { context, client: clientOf(context, flags, sign) };
}

/** A client that signs nothing: for who has no key yet. The caller closes it. */
export function openUnsigned(context: FleetContext, flags: GlobalFlags): FleetClient {
  return clientOf(context, flags, unsigned);
}

function clientOf(context: FleetContext, flags: GlobalFlags, sign: typeof unsigned): FleetClient {
  return connectFleet({ url: context.url, ca: context.ca, skipVerify: flags.insecureSkipTlsVerify, sign });
}
