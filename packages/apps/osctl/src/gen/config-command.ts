import { booleanOption, destroyingOption, jsonOption, listOption, readsFlags, refuseIgnored, repeatable, type Terminal, UsageError } from '@nodecore/cli';
import { type Command, Option } from 'commander';

import { examples } from '../examples.ts';
import { globalFlagsOf } from '../flags.ts';

type Flags = {
  readonly output?: string;
  readonly outputTypes?: readonly string[];
  readonly additionalSans?: readonly string[];
  readonly withSecrets?: string;
  readonly newSecrets?: true;
  readonly osVersion?: string;
  readonly orchVersion?: string;
  readonly dnsDomain: string;
  readonly installDisk?: string;
  readonly installImage?: string;
  readonly registryMirror: readonly string[];
  readonly discoveryEndpoint?: string;
  readonly withClusterDiscovery: boolean;
  readonly withMesh: boolean;
  readonly version: string;
  readonly withDocs: boolean;
  readonly withExamples: boolean;
  readonly withInitNode?: true;
  readonly skipOrchKvstore?: true;
  readonly outputDir?: string;
  readonly allowScheduling?: true;
  readonly configPatch: readonly string[];
  readonly configPatchControlPlane: readonly string[];
  readonly configPatchWorker: readonly string[];
  readonly force?: true;
  readonly json?: true;
};

const exampleOf: Readonly<Record<'config' | 'gen', string>> = {
  config: 'osctl gen config demo https://10.0.0.2:6443 --with-secrets secrets.yaml -o machines',
  gen: 'osctl machineconfig gen demo https://10.0.0.2:6443 -o demo',
};

/** `osctl gen config` and `osctl machineconfig gen` are one command; neither calls a node. */
export function addGenConfig(group: Command, name: 'config' | 'gen', terminal: Terminal): void {
  const command = group
    .command(name)
    .description('make the configurations of the machines of a cluster, and the client config for it')
    .argument('<cluster name>')
    .argument('<cluster endpoint>', 'URL of the orchestrator, such as https://10.0.0.1:6443')
    .option('-o, --output <directory>', 'where to write; with one output type a file, or - (default: .)')
    .addOption(listOption('-t, --output-types <types>', 'controlplane, worker, osconfig, and init with --with-init-node (default: all)'))
    .addOption(listOption('--additional-sans <names>', 'more names and addresses for the certificates'))
    .option('--with-secrets <file>', 'use the secrets of this file, see gen secrets')
    .option('--new-secrets', 'make new secrets, although a file with secrets is there')
    .option('--os-version <version>', 'generate for nodes of this version (default: that of osctl)')
    .option('--orch-version <version>', 'version of the orchestrator: v1.35.0')
    .option('--dns-domain <domain>', 'domain of services', 'cluster.local')
    .option('--install-disk <path>', 'disk that machines install themselves to, such as /dev/sda')
    .option('--install-image <image>', 'what they install (default: what has booted)')
    .addOption(repeatable('--registry-mirror <registry=url>', 'where images of a registry are fetched'))
    .option('--discovery-endpoint <url>', 'where members of the cluster find each other')
    .addOption(booleanOption('--with-cluster-discovery [boolean]', 'use --discovery-endpoint', true))
    .addOption(booleanOption('--with-mesh [boolean]', 'encrypted links from each machine to each other', false))
    .addOption(booleanOption('--with-docs [boolean]', 'a line above each document says what it is for', true))
    .addOption(booleanOption('--with-examples [boolean]', 'an example of every other document, as a comment', false))
    .option('--with-init-node', 'also init.yaml: an older control plane that begins the kvstore by itself')
    .addOption(new Option('--version <version>', 'of the documents').choices(['v1alpha1']).default('v1alpha1'))
    .addOption(new Option('--skip-orch-kvstore', 'machines without the orchestrator and the kvstore').hideHelp())
    .addOption(new Option('--output-dir <directory>', 'older word for --output').conflicts('output').hideHelp())
    .option('--allow-scheduling', 'workloads may run on the control plane')
    .addOption(repeatable('--config-patch <patch>', 'change all configurations; @file reads a patch'))
    .addOption(repeatable('--config-patch-control-plane <patch>', 'change those of the control plane'))
    .addOption(repeatable('--config-patch-worker <patch>', 'change those of workers'))
    .addOption(destroyingOption('-f, --force', 'replace files that exist'))
    .addOption(jsonOption())
    .addOption(listOption('-e, --endpoints <endpoints>', 'endpoints of the client config'))
    .addHelpText('after', examples(exampleOf[name]));
  command.action(async (cluster: string, endpoint: string) => {
    const { genConfig, outputTypes } = await import('./cluster-config.ts');
    const { defaultOrchVersion } = await import('./orch-defaults.ts');
    const { endpoints, ...global } = globalFlagsOf(command) as Flags & { readonly endpoints?: readonly string[] };
    const { outputTypes: wanted, withInitNode = false, version: _, discoveryEndpoint, withClusterDiscovery, orchVersion, outputDir, ...flags } = {
      ...command.opts<Flags>(),
      ...(global.force === true ? { force: true } : {}),
    };
    const known = withInitNode ? (['init', ...outputTypes] as const) : outputTypes;
    await genConfig({
      ...flags,
      name: cluster,
      endpoint,
      withInitNode,
      withoutOrch: flags.skipOrchKvstore === true,
      // The older word is a directory, also with one type.
      ...(outputDir === undefined ? {} : { output: outputDir.replace(/\/*$/u, '/') }),
      types: [...new Set<string>(wanted ?? known)].map((text) => {
        const type = known.find((one) => one === text);
        if (type !== undefined) return type;
        throw new UsageError(`output type "${text}" is none of ${known.join(', ')}`);
      }),
      additionalSans: flags.additionalSans ?? [],
      orchVersion: orchVersion === undefined ? defaultOrchVersion : readVersion(orchVersion),
      registryMirrors: flags.registryMirror.map(readMirror),
      allowScheduling: flags.allowScheduling === true,
      force: flags.force === true,
      format: flags.json === true ? 'json' : 'table',
      terminal,
      ...(withClusterDiscovery && discoveryEndpoint !== undefined ? { discoveryEndpoint } : {}),
      ...(endpoints === undefined ? {} : { endpoints }),
    });
  });
  readsFlags(command, 'endpoints');
  for (const flag of ['orchVersion', 'dnsDomain', 'allowScheduling'])
    refuseIgnored(command, flag, '--skip-orch-kvstore leaves the orchestrator out', (flags) => flags['skipOrchKvstore'] !== true);
}

function readVersion(text: string): string {
  const [, version] = /^v?(\d{1,3}\.\d{1,3}\.\d{1,5}(?:-[\w.]{1,32})?)$/u.exec(text) ?? [];
  if (version === undefined) throw new UsageError(`--orch-version is a version such as v1.35.0; got ${JSON.stringify(text)}`);
  return `v${version}`;
}

function readMirror(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--registry-mirror is <registry>=<url>; got ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + 1)];
}
