import { readFile } from 'node:fs/promises';

import { type Credentials, isRepository } from '@nodecore/oci';
import { codeOf } from '@nodecore/sys';

import { type Settings, wrong } from '../settings.ts';

/** A registry in which several factories share schematics. */
export type SchematicRegistryOptions = {
  /** A host, with a port if it is not the usual one. */
  readonly registry: string;
  readonly repository: string;
  /** File with one line, `name:password`. */
  readonly credentialsPath?: string;
  /** Without TLS. */
  readonly isInsecure?: boolean;
  /** Authorities of the registry in PEM, in place of those that come with Node.js. */
  readonly caPath?: string;
};

/** The keys of {@link readSchematicRegistry}. */
export const schematicRegistryKeys = [
  'artifacts.schematic.caPath',
  'artifacts.schematic.credentialsPath',
  'artifacts.schematic.insecure',
  'artifacts.schematic.namespace',
  'artifacts.schematic.registry',
  'artifacts.schematic.repository',
] as const;

/** @throws {FactoryError} with `ERR_FACTORY_SETUP`, naming the key and where it is. */
export function readSchematicRegistry(settings: Settings): SchematicRegistryOptions | undefined {
  const read = (name: string, what: string): string | undefined =>
    settings.file(`artifacts.schematic.${name}`, what);
  const place = (name: string): string =>
    settings.at(`artifacts.schematic.${name}`)?.place ?? `artifacts.schematic.${name}`;
  const registry = read('registry', 'a host');
  const namespace = read('namespace', "the beginning of a repository's name");
  const repository = [namespace, read('repository', "a repository's name") ?? 'schematics']
    .filter((part) => part !== undefined)
    .join('/');
  const credentialsPath = read('credentialsPath', 'a file');
  const caPath = read('caPath', 'a file');
  const isInsecure = settings.flag('artifacts.schematic.insecure');
  if (registry === undefined) {
    const other = schematicRegistryKeys.find((key) => settings.at(key) !== undefined);
    if (other !== undefined) throw wrong(`artifacts.schematic.registry: ${other} needs it`);
    return undefined;
  }
  // It is not repeated: it may have a password in it.
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(registry) || !URL.canParse(`https://${registry}`))
    throw wrong(`${place('registry')}: must be a host as registry.example.com, or with a port`);
  if (!isRepository(repository))
    throw wrong(`${place('repository')}: ${repository} is no name of a repository`);
  if (isInsecure && caPath !== undefined)
    throw wrong(`${place('caPath')}: artifacts.schematic.insecure is without TLS, and has no certificates`);
  const files = {
    ...(credentialsPath !== undefined && { credentialsPath }),
    ...(caPath !== undefined && { caPath }),
  };
  return { registry, repository, isInsecure, ...files };
}

/** @throws {FactoryError} with `ERR_FACTORY_SETUP`, and nothing of the file in it. */
export async function readRegistryCredentials(path: string): Promise<Credentials> {
  const key = 'artifacts.schematic.credentialsPath';
  const bytes = await readFile(path).catch((error: unknown) => {
    throw wrong(`${key}: ${path}: ${codeOf(error) ?? 'can not be read'}`);
  });
  const { username, password } =
    /^(?<username>[^:\s]+):(?<password>[^\r\n]+)\r?\n?$/.exec(bytes.toString())?.groups ?? {};
  bytes.fill(0);
  if (username !== undefined && password !== undefined) return { username, password };
  throw wrong(`${key}: ${path}: must be one line, name:password`);
}
