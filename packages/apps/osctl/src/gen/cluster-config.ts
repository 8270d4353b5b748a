import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { print, UsageError } from '@nodecore/cli';
import type { Patch } from '@nodecore/config';

import { readPatches } from '../configuration/read-patches.ts';
import { currentContract, has, readContract } from './contract.ts';
import { makeOutputDirectory, writeFiles, type OutputFile, type WriteOptions } from './files.ts';
import type { ConfigInput, MachineKind } from './input.ts';
import { machineConfig } from './machine-config.ts';
import { osconfigText } from './osconfig.ts';
import { readSecrets } from './secrets-file.ts';
import { createSecrets } from './secrets.ts';

/** Files that `osctl gen config` writes; all of them unless `-t` names some. */
export const outputTypes = ['controlplane', 'worker', 'osconfig'] as const;
/** And what `--with-init-node` adds. */
export type OutputType = (typeof outputTypes)[number] | 'init';

export type ClusterConfigOptions = WriteOptions &
  Omit<ConfigInput, 'contract' | 'host' | 'secrets'> & {
    readonly osVersion?: string;
    /** Directory; with one output type also a file, or `-`. */
    readonly output?: string;
    readonly types: readonly OutputType[];
    readonly withSecrets?: string;
    /** New secrets are made although files of a cluster are there. */
    readonly newSecrets?: boolean;
    readonly withDocs: boolean;
    readonly withExamples: boolean;
    /** A control plane node more, which begins the kvstore by itself. */
    readonly withInitNode: boolean;
    /** Where the node API is; the endpoint's host by default. */
    readonly endpoints?: readonly string[];
    /** Of both kinds of machines, then of each; `@file` reads one. */
    readonly configPatch: readonly string[];
    readonly configPatchControlPlane: readonly string[];
    readonly configPatchWorker: readonly string[];
  };

const fileNames: Readonly<Record<OutputType, string>> = {
  controlplane: 'controlplane.yaml',
  init: 'init.yaml',
  worker: 'worker.yaml',
  osconfig: 'osconfig',
};

/** The machine configurations of a cluster and the client config that goes with them, checked before one is written. */
export async function genConfig(options: ClusterConfigOptions): Promise<void> {
  const contract = readContract(options.osVersion);
  const host = hostOf(options.endpoint);
  if (options.withMesh && options.discoveryEndpoint === undefined)
    throw new UsageError('--with-mesh needs --discovery-endpoint: members of a mesh find each other there');
  if (options.withoutOrch === true && !has(contract, 'documents'))
    throw new UsageError('--skip-orch-kvstore needs nodes of v1.14 or later: earlier ones always run the orchestrator');
  if (options.withoutOrch === true && options.withInitNode)
    throw new UsageError('--with-init-node begins the kvstore, which --skip-orch-kvstore leaves out');
  const { withSecrets } = options;
  if (withSecrets === undefined) await refuseSecondCluster(options);
  const secrets = withSecrets === undefined ? await createSecrets({ contract }) : await readSecrets(withSecrets);
  const input: ConfigInput = { ...options, contract, host, secrets };
  const common = await readPatches(options.configPatch, '--config-patch');
  const leftOut = new Set<string>();
  const machine = async (kind: MachineKind | 'init', flag: string, texts: readonly string[]): Promise<string> => {
    const own: readonly Patch[] = await readPatches(texts, flag);
    const { withDocs, withExamples } = options;
    const made = machineConfig(kind, input, { patches: [...common, ...own], withDocs, withExamples });
    for (const path of made.leftOut) leftOut.add(path);
    return made.text;
  };
  const make: Record<OutputType, () => Promise<string>> = {
    controlplane: () => machine('controlplane', '--config-patch-control-plane', options.configPatchControlPlane),
    init: () => machine('init', '--config-patch-control-plane', options.configPatchControlPlane),
    worker: () => machine('worker', '--config-patch-worker', options.configPatchWorker),
    osconfig: () => osconfigText(options.name, options.endpoints ?? [host], secrets),
  };
  const contents: Content[] = [];
  for (const type of options.types) contents.push({ type, content: await make[type]() });
  await write(contents, options);
  if (leftOut.size > 0)
    await print(
      options.terminal.error,
      `note: v${currentContract.major}.${currentContract.minor} does not read all fields of ${options.osVersion}, ` +
        `these were left out: ${[...leftOut].join(', ')}\n`,
    );
}

type Content = { readonly type: OutputType; readonly content: string };

async function write(contents: readonly Content[], options: ClusterConfigOptions): Promise<void> {
  const [only] = contents;
  const { output } = options;
  if (output === '-') {
    if (options.format !== 'table') throw new UsageError('-o - prints the file itself; leave out --json');
    if (contents.length !== 1 || only === undefined) throw new UsageError('-o - takes one output type: -t <type>');
    await print(options.terminal.out, only.content);
    return;
  }
  const directory = directoryOf(options);
  const files: OutputFile[] = contents.map(({ type, content }) => ({
    path: directory === undefined ? (output ?? '') : join(directory, fileNames[type]),
    content,
    secret: true,
  }));
  if (directory !== undefined) await makeOutputDirectory(directory);
  await writeFiles(files, options);
}

/** Undefined: the only output goes to a file of its own. */
function directoryOf({ output, types }: Pick<ClusterConfigOptions, 'output' | 'types'>): string | undefined {
  const single = types.length === 1 && output !== undefined && !output.endsWith('/');
  return single ? undefined : (output ?? '.');
}

/** Who forgets to name the secrets of a cluster that is there would make files that do not fit it. */
async function refuseSecondCluster(options: ClusterConfigOptions): Promise<void> {
  if (options.newSecrets === true) return;
  const directory = directoryOf(options) ?? '.';
  const otherwise = 'or --new-secrets for another cluster';
  for (const file of new Set(['secrets.yaml', join(directory, 'secrets.yaml')]))
    if (await exists(file)) throw new UsageError(`${file} is there: give --with-secrets ${file}, ${otherwise}`);
  const former = join(directory, fileNames.controlplane);
  if (options.force && options.output !== '-' && (await exists(former)))
    throw new UsageError(
      `${former} is there, and would get other keys: take its secrets with osctl gen secrets ` +
        `--from-controlplane-config ${former} --fill, and give --with-secrets secrets.yaml, ${otherwise}`,
    );
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

function hostOf(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url?.protocol === 'https:' && url.hostname !== '') return url.hostname.replace(/^\[(?<address>.*)\]$/u, '$<address>');
  const isBare = /^[\w.-]+$/u.test(endpoint);
  throw new UsageError(
    isBare
      ? `the endpoint is an https URL: try https://${endpoint}:6443`
      : `the endpoint is an https URL, such as https://10.0.0.1:6443; got ${endpoint}`,
  );
}
