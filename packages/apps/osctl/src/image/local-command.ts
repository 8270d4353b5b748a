import { booleanOption, destroyingOption, formatOption, listOption, type Terminal } from '@nodecore/cli';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { examples } from '../examples.ts';
import { defaultOrchVersion } from '../gen/orch-defaults.ts';
import type { CacheCertificateFlags } from './cache-certificates.ts';
import type { CacheCreateFlags } from './cache-create.ts';
import type { CacheServeFlags } from './cache-serve.ts';
import type { OrchImagesFlags } from './orch-images.ts';
import type { OsImagesFlags } from './os-images.ts';
import { usualVersions } from './usual-versions.ts';

/** Adds the subcommands that call no node. */
export function addLocal(image: Command, terminal: Terminal): void {
  addOrchImages(image.command('default'), terminal).addHelpText('after', examples('osctl image default'));
  addOrchImages(
    image.command('orch-bundle').argument('[version]', 'of the orchestrator'),
    terminal,
  ).addHelpText('after', examples('osctl image orch-bundle v1.35.0'));
  addOsImages(image, terminal);
  addCreate(image, terminal);
  addServe(image, terminal);
  addVerify(image, terminal);
  addCertificates(image, terminal);
}

function addOrchImages(command: Command, terminal: Terminal): Command {
  return command
    .description('Lists the images that a cluster begins with, a line each. Calls no node.')
    .option('--orch-version <version>', 'of the orchestrator', defaultOrchVersion)
    .option('--kvstore-version <version>', 'of the store of the orchestrator', usualVersions.kvstore)
    .option('--flannel-version <version>', 'of the network between nodes', usualVersions.flannel)
    .option('--coredns-version <version>', 'of the names of services', usualVersions.coredns)
    .option('--pause-version <version>', 'of what holds the namespaces of a pod', usualVersions.pause)
    .option(
      '--kube-network-policies-version <version>',
      'of what keeps pods apart',
      usualVersions.kubeNetworkPolicies,
    )
    .addOption(formatOption())
    .action(async (...parameters: unknown[]) => {
      const [given] = parameters;
      const flags = command.opts<OrchImagesFlags>();
      const { listOrchImages } = await import('./orch-images.ts');
      await listOrchImages(typeof given === 'string' ? { ...flags, orchVersion: given } : flags, terminal);
    });
}

function addOsImages(image: Command, terminal: Terminal): void {
  image
    .command('os-bundle')
    .argument('[version]', 'of the system; that of this osctl unless given')
    .description('Lists the images that a release of the system is made of, a line each. Calls no node.')
    .requiredOption('--registry <registry>', 'where they are, with what stands before their names')
    .addOption(booleanOption('--overlays [bool]', 'look up the overlays of the release', true))
    .addOption(booleanOption('--extensions [bool]', 'look up the extensions of the release', true))
    .option('--insecure', 'ask the registry in plain HTTP: who is on the way may hand out other lists')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
A factory passes on what its registry has: --registry factory.example.com/os.
Credentials are those of docker login, where its file has them; helpers are not asked.

Examples:
  osctl image os-bundle --registry registry.example.com/os
  osctl image os-bundle v1.14.0 --registry registry.example.com/os --overlays=false --extensions=false`,
    )
    .action(async (version: string | undefined, flags: OsImagesFlags) => {
      const [{ listOsImages }, { releaseVersion }] = await Promise.all([
        import('./os-images.ts'),
        import('@nodecore/sys/pure'),
      ]);
      await listOsImages(version ?? releaseVersion, flags, terminal);
    });
}

function addCreate(image: Command, terminal: Terminal): void {
  image
    .command('cache-create')
    .description(
      'Fetches images into a directory that nodes without a way to registries pull from. Goes on with what is there. Calls no node.',
    )
    .addOption(
      listOption(
        '--images <images>',
        '- reads them from standard input, one in a line',
      ).makeOptionMandatory(),
    )
    .requiredOption('--image-cache-path <directory>', 'the cache')
    .option('--image-layer-cache-path <directory>', 'blobs that several caches share')
    .addOption(listOption('--platform <platforms>', 'or all, for every one (default: linux/amd64)'))
    .option('--no-cosign-signatures', 'leave out signatures and attestations')
    .addOption(destroyingOption('-f, --force', 'begin anew: remove what is in the cache'))
    .option('--insecure', 'ask registries in plain HTTP: who is on the way may hand out other images')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Credentials are those of docker login, where its file has them; helpers are not asked.

Examples:
  osctl image cache-create --images registry.k8s.io/pause:3.10.1 --image-cache-path cache
  osctl image cache-create --images - --image-cache-path cache --platform linux/amd64,linux/arm64`,
    )
    .action(async (flags: CacheCreateFlags) => {
      const { createCache } = await import('./cache-create.ts');
      await createCache(flags, terminal);
    });
}

function addServe(image: Command, terminal: Terminal): void {
  image
    .command('cache-serve')
    .description(
      'Serves a cache as a registry, and writes the documents that have nodes use it. Calls no node.',
    )
    .requiredOption('--image-cache-path <directory>', 'the cache')
    .addOption(
      new Option(
        '--address <host:port>',
        'where to listen; with port 0 a free one, and no documents are written',
      )
        .argParser(parseAddress)
        .default({ host: '127.0.0.1', port: 3172 }, '127.0.0.1:3172'),
    )
    .addOption(
      listOption(
        '--mirror <registries>',
        'registries that it stands for (default: docker.io,ghcr.io,registry.k8s.io)',
      ),
    )
    .option('--tls-cert-file <file>', 'certificate of the server, PEM')
    .option('--tls-key-file <file>', 'its key, PEM')
    .option('--patch-file <file>', 'where the documents go', 'image-cache-mirrors-patch.yaml')
    .addHelpText(
      'after',
      `
Examples:
  osctl image cache-serve --image-cache-path cache
  osctl image cache-serve --image-cache-path cache --address 10.0.0.9:3172 --tls-cert-file tls.crt --tls-key-file tls.key`,
    )
    .action(async (flags: CacheServeFlags) => {
      const { serveImageCache } = await import('./cache-serve.ts');
      await serveImageCache(flags, terminal);
    });
}

function addVerify(image: Command, terminal: Terminal): void {
  image
    .command('cache-verify <directory>')
    .description('Says what of a cache has other bytes than it must have, or is missing. Calls no node.')
    .addHelpText('after', examples('osctl image cache-verify cache'))
    .addOption(formatOption())
    .action(async (directory: string, flags: { readonly output: string }) => {
      const { verifyCache } = await import('./cache-verify.ts');
      await verifyCache(directory, flags, terminal);
    });
}

function addCertificates(image: Command, terminal: Terminal): void {
  image
    .command('cache-cert-gen')
    .description(
      'Makes a certificate for cache-serve, and the document that has nodes trust it. Calls no node.',
    )
    .addOption(listOption('--advertised-address <addresses>', 'by which nodes reach the cache'))
    .addOption(listOption('--advertised-name <names>', 'by which nodes reach the cache'))
    .option('--tls-ca-file <file>', 'certificate of the authority, whose key is kept nowhere', 'ca.crt')
    .option('--tls-cert-file <file>', 'certificate of the server', 'tls.crt')
    .option('--tls-key-file <file>', 'its key', 'tls.key')
    .option('--patch-file <file>', 'where the document goes', 'image-cache-patch.yaml')
    .addOption(destroyingOption('-f, --force', 'replace files that exist'))
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  osctl image cache-cert-gen --advertised-address 10.0.0.9`,
    )
    .action(async (flags: CacheCertificateFlags) => {
      const { generateCacheCertificates } = await import('./cache-certificates.ts');
      await generateCacheCertificates(flags, terminal);
    });
}

function parseAddress(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port = ''] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/u.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535)
    throw new InvalidArgumentError('Expected host:port, as 127.0.0.1:3172 or [::]:3172.');
  return { host, port: Number(port) };
}
