import {
  encodeServiceAccount,
  generateSigningKey,
  serviceAccountIdentity,
  serviceAccountVariable,
} from '@nodecore/authv1';
import { parseDuration, print, type Terminal, UsageError, writeWhole } from '@nodecore/cli';
import { parseRole } from '@nodecore/fleet-api';

import type { GlobalFlags } from '../flags.ts';
import { endpointVariable, openFleet } from '../session.ts';

/** Makes a key here, and an account with its public half; the private one is printed and kept nowhere. */
export async function createAccount(
  flags: GlobalFlags,
  { name, role = '', ttl }: { readonly name: string; readonly role?: string; readonly ttl: string },
  terminal: Terminal,
): Promise<void> {
  if (role !== '' && parseRole(role) === undefined)
    throw new UsageError(`--role: there is no role "${role}"`);
  const identity = serviceAccountIdentity(name);
  const { secret, publicKey } = await generateSigningKey({
    name: 'fleetctl',
    email: identity,
    lifetimeMs: parseDuration(ttl),
  });
  using key = secret;
  const { context, client } = await openFleet(flags, terminal);
  using _client = client;
  await client.createServiceAccount({ name, role, publicKey }, { signal: terminal.signal });
  using text = encodeServiceAccount({ name: identity, key });
  await print(terminal.out, `# ${endpointVariable}=${context.url}\n# ${serviceAccountVariable}=`);
  await writeWhole(terminal.out, text.bytes);
  await print(terminal.out, '\n');
}

/** Removes an account and its keys. */
export async function destroyAccount(flags: GlobalFlags, name: string, terminal: Terminal): Promise<void> {
  const { client } = await openFleet(flags, terminal);
  using _client = client;
  await client.destroyServiceAccount(name, { signal: terminal.signal });
}
