import { readNamed, readNamedText, UsageError } from '@nodecore/cli';
import * as pki from '@nodecore/pki';
import { Secret } from '@nodecore/sys';

import { edit, type ConfigOptions } from './file.ts';

export type Credentials = { readonly ca?: string; readonly crt?: string; readonly key?: string };

/** Adds a context without endpoints. Another one of its name is left alone. */
export async function addContext(options: ConfigOptions, name: string, files: Credentials): Promise<void> {
  if ((files.crt === undefined) !== (files.key === undefined))
    throw new UsageError('--crt and --key go together');
  const ca = await certificate(files.ca, '--ca');
  const crt = await certificate(files.crt, '--crt');
  using key = files.key === undefined ? undefined : Secret.take(await readNamed(files.key, '--key'));
  await edit(options, ({ osconfig }) => {
    if (osconfig.names.includes(name)) {
      throw new UsageError(`context "${name}" exists in ${osconfig.path}; remove it or take another name`);
    }
    osconfig.set(name, {
      endpoints: [],
      ...(ca === undefined ? {} : { ca }),
      ...(crt === undefined ? {} : { crt }),
      ...(key === undefined ? {} : { key }),
    });
    if (osconfig.current === undefined) osconfig.use(name);
  });
}

async function certificate(path: string | undefined, flag: string): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const pem = await readNamedText(path, flag);
  pki.readCertificate(pem); // an error now is better than at the first connection
  return pem;
}
