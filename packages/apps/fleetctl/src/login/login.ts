import { createInterface } from 'node:readline/promises';
import { arch, platform } from 'node:os';

import { generateSigningKey, saveKey } from '@nodecore/authv1';
import { print, type Terminal, UsageError } from '@nodecore/cli';

import type { GlobalFlags } from '../flags.ts';
import { loadConfig, openUnsigned } from '../session.ts';

/** Half a working day. */
const lifetimeMs = 4 * 3_600_000;

/** A new key for the context in use. It is kept when the fleet has confirmed it. */
export async function login(flags: GlobalFlags, role: string, terminal: Terminal): Promise<void> {
  const context = (await loadConfig(flags, terminal)).context(flags.context);
  const { name, identity } = context;
  const { signal, env } = terminal;
  const { secret, publicKey } = await generateSigningKey({
    name: `fleetctl (${platform()}/${arch()})`,
    email: identity,
    lifetimeMs,
  });
  using key = secret;
  using client = openUnsigned(context, flags);
  const { keyId } = await client.registerPublicKey({ publicKey, identity, role }, { signal });
  await print(terminal.error, `one-time code for ${identity}: `);
  const code = await firstLine(terminal);
  await client.confirmPublicKey({ keyId, code }, { signal });
  const path = await saveKey({ flag: flags.authv1KeysDir, env }, { context: name, identity }, key);
  await print(terminal.error, `key, good for ${lifetimeMs / 3_600_000} hours: ${path}\n`);
}

async function firstLine({ input, signal }: Terminal): Promise<string> {
  using lines = createInterface({ input, signal });
  for await (const line of lines) return line.trim();
  throw new UsageError('there is no code on standard input');
}
