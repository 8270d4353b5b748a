import { serviceAccountVariable } from '@nodecore/authv1';
import type { Terminal } from '@nodecore/cli';
import { accountSigner, connectFleet, type FleetClient, signer, unsigned } from '@nodecore/fleet-api';

import { type FleetContext, Fleetconfig, fleetconfigPath } from './config/fleetconfig.ts';
import type { GlobalFlags } from './flags.ts';

/** The client config that the flags mean. */
export async function loadConfig(flags: GlobalFlags, { env }: Pick<Terminal, 'env'>): Promise<Fleetconfig> {
  return await Fleetconfig.load(fleetconfigPath(flags.fleetconfig, env));
}

/** Where the fleet is, for who has no client config. */
export const endpointVariable = 'FLEET_ENDPOINT';

/**
 * A client of the context that the flags mean, whose key signs every call; a service account in the environment signs in its place. The
 * caller closes it.
 */
export async function openFleet(
  flags: GlobalFlags,
  { env }: Pick<Terminal, 'env'>,
): Promise<{ readonly context: FleetContext; readonly client: FleetClient }> {
  const config = await loadConfig(flags, { env });
  const account = env[serviceAccountVariable];
  if (account !== undefined && account !== '') {
    const url = env[endpointVariable];
    const isAlone = config.contexts.length === 0 && url !== undefined && flags.context === undefined;
    const context = isAlone ? { name: 'environment', url, identity: '' } : config.context(flags.context);
    return { context, client: clientOf(context, flags, accountSigner(account)) };
  }
  const context = config.context(flags.context);
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
