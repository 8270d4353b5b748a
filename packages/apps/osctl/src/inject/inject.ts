import { buffer } from 'node:stream/consumers';

import { type Role, roles as knownRoles } from '@nodecore/api';
import { print, readNamed, type Terminal, UsageError } from '@nodecore/cli';
import { decodeText } from '@nodecore/sys';

import { withServiceAccounts } from './service-accounts.ts';

export type InjectFlags = { readonly file: string; readonly roles: readonly string[] };

/** Prints the manifests of a file with service accounts. @throws {UsageError} for a role that is none; {ManifestError}. */
export async function injectServiceAccounts({ file, roles }: InjectFlags, terminal: Terminal): Promise<void> {
  const unknown = roles.find((role) => !knownRoles.includes(role as Role));
  if (unknown !== undefined)
    throw new UsageError(`--roles: ${JSON.stringify(unknown)} is none of ${knownRoles.join(', ')}`);
  const data = file === '-' ? await buffer(terminal.input) : await readNamed(file, '-f');
  const name = file === '-' ? '<stdin>' : file;
  await print(terminal.out, withServiceAccounts(decodeText(data), { file: name, roles }));
}
