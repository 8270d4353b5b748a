import { decodeServiceAccount, saveKey } from '@nodecore/authv1';
import { print, readNamedText, type Terminal, UsageError } from '@nodecore/cli';

import type { GlobalFlags } from '../flags.ts';
import { loadConfig } from '../session.ts';

/** What `config add` is given. */
export type NewContext = {
  readonly name: string;
  readonly url: string;
  readonly identity?: string;
  readonly ca?: string;
  readonly fleetca?: string;
  readonly serviceAccountKey?: string;
};

/** Adds a context, with the key of a service account where one is given. Another context of its name is left alone. */
export async function addContext(given: NewContext, flags: GlobalFlags, terminal: Terminal): Promise<void> {
  const { name, url, identity, ca, fleetca, serviceAccountKey } = given;
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:') throw new UsageError(`--url: "${url}" does not begin with https://`);
  if (ca !== undefined && fleetca !== undefined)
    throw new UsageError('--ca and --fleetca say the same: give one');
  if ((identity === undefined) === (serviceAccountKey === undefined))
    throw new UsageError('say who signs the calls: --identity, or --service-account-key');
  const config = await loadConfig(flags, terminal);
  if (config.contexts.some((context) => context.name === name))
    throw new UsageError(`context "${name}" exists in ${config.path}; take another name`);
  const trusted = await authorityOf(parsed, { ca, fleetca }, terminal.signal);
  const account =
    serviceAccountKey === undefined
      ? undefined
      : decodeServiceAccount(await readNamedText(serviceAccountKey, '--service-account-key'));
  using key = account?.key;
  const who = account?.name ?? identity!;
  if (key !== undefined) {
    const place = { flag: flags.authv1KeysDir, env: terminal.env };
    const path = await saveKey(place, { context: name, identity: who }, key);
    await print(terminal.error, `key of ${who}: ${path}\n`);
  }
  config.set({ name, url: parsed.origin, identity: who, ...(trusted !== undefined && { ca: trusted }) });
  await config.save();
}

async function authorityOf(
  url: URL,
  { ca, fleetca }: { readonly ca: string | undefined; readonly fleetca: string | undefined },
  signal: AbortSignal,
): Promise<string | undefined> {
  if (ca !== undefined) return await readNamedText(ca, '--ca');
  if (fleetca === undefined) return undefined;
  const { fetchAuthority } = await import('./fetch-authority.ts');
  return await fetchAuthority(url, fleetca, signal);
}
