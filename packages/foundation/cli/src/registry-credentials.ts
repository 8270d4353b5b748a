import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys/pure';

import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Name and password for a registry. */
type Credentials = { readonly username: string; readonly password: string };

/** How docker's file calls its own registry. */
const dockerHub = 'https://index.docker.io/v1/';

/**
 * Who the user is at registries: `auths` of docker's configuration. Helpers of it are not asked.
 *
 * @throws {UsageError} for a file that can't be read; its contents are in no message.
 */
export async function registryCredentials(
  env: Terminal['env'],
): Promise<(registry: string) => Credentials | undefined> {
  const directory = env['DOCKER_CONFIG'] ?? join(env['HOME'] ?? '/', '.docker');
  const auths = await authsOf(join(directory, 'config.json'));
  return (registry) => {
    const names = registry === 'docker.io' ? [dockerHub, registry] : [registry, `https://${registry}`];
    const auth = names.map((name) => fieldsOf(auths[name])['auth']).find((each) => typeof each === 'string');
    const text = typeof auth === 'string' ? Buffer.from(auth, 'base64').toString() : '';
    const colon = text.indexOf(':');
    return colon < 1 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
  };
}

async function authsOf(path: string): Promise<Readonly<Record<string, unknown>>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw new UsageError(`${path}: ${code ?? 'can not be read'}`);
  }
  try {
    return fieldsOf(fieldsOf(JSON.parse(text))['auths']);
  } catch {
    throw new UsageError(`${path}: it is no JSON`);
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
