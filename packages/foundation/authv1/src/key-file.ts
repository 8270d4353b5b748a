import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, makeDirectory, Secret, writeFileAtomic } from '@nodecore/sys';

import { Authv1Error } from './errors.ts';

/** Where keys are looked for. */
export type KeysLocation = {
  /** Value of `--authv1-keys-dir`. */
  readonly flag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Whose key. */
export type KeyOwner = { readonly context: string; readonly identity: string };

/** `--authv1-keys-dir`, then `AUTHV1_KEYS_DIR`, then `$HOME/.os/keys`. @throws {Authv1Error} without any of them. */
export function keysDirectory({ flag, env }: KeysLocation): string {
  const named = flag ?? env['AUTHV1_KEYS_DIR'];
  if (named !== undefined && named !== '') return named;
  const home = env['OS_HOME'] ?? (env['HOME'] === undefined ? undefined : join(env['HOME'], '.os'));
  if (home === undefined || home === '')
    throw new Authv1Error('ERR_AUTHV1_NO_KEY', 'HOME is not set; set it, or give --authv1-keys-dir');
  return join(home, 'keys');
}

/** `<keys>/<context>-<identity>.pgp`. @throws {Authv1Error} for names that would lead out of the directory. */
export function keyPath(location: KeysLocation, { context, identity }: KeyOwner): string {
  const name = `${context}-${identity}.pgp`;
  // eslint-disable-next-line no-control-regex -- they are what is refused
  if (/[/\u0000-\u001f]/u.test(name))
    throw new Authv1Error(
      'ERR_AUTHV1_KEY',
      'names of contexts and identities have no / and no control characters',
    );
  return join(keysDirectory(location), name);
}

/** The key of a context. The caller disposes it. @throws {Authv1Error} `ERR_AUTHV1_NO_KEY`, which says which file it looked for. */
export async function loadKey(location: KeysLocation, owner: KeyOwner): Promise<Secret> {
  const path = keyPath(location, owner);
  try {
    return Secret.take(await readFile(path));
  } catch (error) {
    const code = codeOf(error);
    const why = code === 'ENOENT' ? 'does not exist' : `can not be read (${code ?? 'unknown reason'})`;
    const message = `context "${owner.context}" has no key: ${path} ${why}`;
    throw new Authv1Error('ERR_AUTHV1_NO_KEY', message);
  }
}

/** Writes the key of a context, mode 0600, whole or not at all. @returns where it is. */
export async function saveKey(location: KeysLocation, owner: KeyOwner, key: Secret): Promise<string> {
  const path = keyPath(location, owner);
  await makeDirectory(keysDirectory(location));
  await writeFileAtomic(path, key.bytes, { mode: 0o600 });
  return path;
}
