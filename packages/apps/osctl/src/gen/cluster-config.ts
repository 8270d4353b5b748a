import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { Osconfig } from '@nodecore/api';
import { print, UsageError } from '@nodecore/cli';
import * as pki from '@nodecore/pki';
import { parse } from '@nodecore/config';
import { Secret } from '@nodecore/sys';
import { stringify } from 'yaml';

import { writeFiles, type OutputFile, type WriteOptions } from './files.ts';
import { createSecrets, readSecrets, type ClusterSecrets } from './secrets.ts';

/** Files that `osctl gen config` writes; all of them unless `-t` names some. */
export const outputTypes = ['controlplane', 'osconfig'] as const;
export type OutputType = (typeof outputTypes)[number];

export type ClusterConfigOptions = WriteOptions & {
  readonly name: string;
  /** `https://host:port` of the orchestrator. */
  readonly endpoint: string;
  /** Directory; with one output type also a file, or `-`. */
  readonly output?: string;
  readonly types: readonly OutputType[];
  readonly additionalSans: readonly string[];
  readonly withSecrets?: string;
  /** Where the node API is; the endpoint's host by default. */
  readonly endpoints?: readonly string[];
};

const fileNames: Readonly<Record<OutputType, string>> = {
  controlplane: 'controlplane.yaml',
  osconfig: 'osconfig',
};

/** The machine configuration of a control plane and the client config that goes with it, checked before written. */
export async function genConfig(options: ClusterConfigOptions): Promise<void> {
  const host = hostOf(options.endpoint);
  const secrets =
    options.withSecrets === undefined ? await createSecrets() : await readSecrets(options.withSecrets);
  const controlplane = controlplaneText(options, secrets);
  parse(controlplane, { file: fileNames.controlplane })[Symbol.dispose]();
  const make: Record<OutputType, () => Promise<string>> = {
    controlplane: () => Promise.resolve(controlplane),
    osconfig: () => osconfigText(options.name, options.endpoints ?? [host], secrets),
  };
  const contents = await Promise.all(
    options.types.map(async (type) => ({ type, content: await make[type]() })),
  );
  await write(contents, options);
}

async function write(
  contents: readonly { readonly type: OutputType; readonly content: string }[],
  options: ClusterConfigOptions,
): Promise<void> {
  const [only] = contents;
  const { output } = options;
  if (output === '-') {
    if (options.format !== 'table') throw new UsageError('-o - prints the file itself; leave out --json');
    if (contents.length !== 1 || only === undefined) throw new UsageError('-o - takes one output type: -t <type>');
    await print(options.terminal.out, only.content);
    return;
  }
  const single = contents.length === 1 && output !== undefined && !output.endsWith('/');
  const directory = output ?? '.';
  const files: OutputFile[] = contents.map(({ type, content }) => ({
    path: single ? directory : join(directory, fileNames[type]),
    content,
    secret: true,
  }));
  if (!single) await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFiles(files, options);
}

/** The configuration of a control plane as text; unchecked. */
export function controlplaneText(
  options: Pick<ClusterConfigOptions, 'name' | 'endpoint' | 'additionalSans'>,
  secrets: ClusterSecrets,
): string {
  const root = {
    version: 'v1alpha1',
    machine: {
      type: 'controlplane',
      ...secrets.machine,
      ...(options.additionalSans.length === 0 ? {} : { certSANs: options.additionalSans }),
    },
    cluster: {
      ...secrets.cluster,
      clusterName: options.name,
      controlPlane: { endpoint: options.endpoint },
    },
  };
  const comment = '# Holds the keys of the cluster. Add volume documents below, each after a line with ---\n';
  // Nodes that were there before the document existed are not trimmed; new ones are, once a week.
  const trims = { apiVersion: 'v1alpha1', kind: 'FilesystemTrimConfig', interval: '168h0m0s' };
  return `${comment}${stringify(root, { lineWidth: 0 })}---\n${stringify(trims)}`;
}

/** A client config with a new administrator, as text. */
export async function osconfigText(
  name: string,
  endpoints: readonly string[],
  { machine }: ClusterSecrets,
): Promise<string> {
  const crt = Buffer.from(machine.ca.crt, 'base64').toString('utf8');
  using authorityKey = Secret.take(Buffer.from(machine.ca.key, 'base64'));
  const admin = await pki.issueClient({ crt, key: authorityKey }, { roles: ['os:admin'] });
  using key = admin.key;
  const config = Osconfig.empty('osconfig');
  config.set(name, { endpoints, ca: crt, crt: admin.crt, key });
  config.use(name);
  return config.encode().toString('utf8');
}

function hostOf(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url?.protocol !== 'https:' || url.hostname === '') {
    throw new UsageError(`the endpoint is an https URL, such as https://10.0.0.1:6443; got ${endpoint}`);
  }
  return url.hostname.replace(/^\[(?<address>.*)\]$/u, '$<address>');
}
