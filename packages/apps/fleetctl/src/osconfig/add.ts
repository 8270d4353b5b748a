import { loadOsconfig, saveOsconfig } from '@nodecore/api';
import { print, type Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../flags.ts';
import { loadConfig } from '../session.ts';

/** Adds the context to the client config of osctl; one of its name is replaced. */
export async function addOsContext(
  flags: GlobalFlags,
  { path, cluster }: { readonly path: string | undefined; readonly cluster: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { name, url, identity, ca } = (await loadConfig(flags, terminal)).context(flags.context);
  const loaded = await loadOsconfig({ flag: path, env: terminal.env, create: true });
  loaded.osconfig.set(name, {
    endpoints: [url],
    identity,
    ...(ca !== undefined && { ca }),
    ...(cluster !== undefined && { cluster }),
  });
  if (loaded.osconfig.current === undefined) loaded.osconfig.use(name);
  await saveOsconfig(loaded);
  await print(terminal.error, `context ${name}: ${loaded.location.path}\n`);
}
