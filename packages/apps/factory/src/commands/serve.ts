import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

import { type Configure, parseSize, repeatable, UsageError } from '@nodecore/cli';
import { aborted } from '@nodecore/waiting';

import { type Address, formatAddress, parseAddress } from '../address.ts';
import { externalUrlOf } from '../external-url.ts';
import { configOption, readConfigurationFiles } from './configured.ts';

type Options = {
  readonly releases?: string;
  readonly releaseKey: readonly string[];
  readonly listen?: Address;
  readonly storage?: string;
  readonly externalUrl?: string;
  readonly secureBootKeys?: string;
  readonly installerSigningKey?: string;
  readonly cacheSize?: number;
  readonly config: readonly string[];
};

/** Where things are when nobody says it. */
const defaults = {
  releases: '/var/lib/factory/releases',
  storage: '/var/lib/factory',
  listen: { host: '127.0.0.1', port: 8081 },
} as const;

export const configure: Configure = (command, terminal) => {
  command
    .description(
      'Answers until SIGTERM or Ctrl-C: schematics, images, PXE scripts, and installer images as a registry. SIGHUP reads releases again.',
    )
    .option(
      '--releases <directory>',
      'releases, each in a directory of its version (default: artifacts.directory, or /var/lib/factory/releases)',
    )
    .addOption(
      repeatable(
        '--release-key <file>',
        'public key that signs releases, PEM; repeat it for a rotation (default: containerSignature.publicKeyFile, or ../release-keys/release.pub beside the releases)',
      ),
    )
    .option(
      '--listen <address:port>',
      'where it answers (default: http.httpListenAddr, or 127.0.0.1:8081)',
      address,
    )
    .option(
      '--storage <directory>',
      'where schematics are kept (default: storage.directory, or /var/lib/factory)',
    )
    .option(
      '--external-url <url>',
      'where clients reach it; it is in every image (default: http.externalURL, or where it listens)',
      url,
    )
    .option(
      '--secure-boot-keys <directory>',
      'keys that "osctl gen secureboot" made (default: secureBoot.directory)',
    )
    .option(
      '--installer-signing-key <file>',
      'private Ed25519 key that signs installer images, PEM (default: installer.signingKeyPath, or one is made in --storage)',
    )
    .option(
      '--cache-size <size>',
      'the most that is kept in --storage of what was compressed or converted (default: 10GiB)',
      parseSize,
    )
    .addOption(configOption())
    .action(async (options: Options) => {
      const { startFactory } = await import('../serve.ts');
      const { releaseKey, config, cacheSize, ...flags } = options;
      const settings = { ...defaults, ...(await readConfigurationFiles(config, terminal)), ...flags };
      const { releaseKeys = [join(settings.releases, '../release-keys/release.pub')] } = settings;
      const stop = Promise.withResolvers<void>();
      process.once('SIGTERM', stop.resolve);
      await using factory = await startFactory({
        ...settings,
        releaseKeys: releaseKey.length > 0 ? releaseKey : releaseKeys,
        ...(cacheSize !== undefined && { cacheSizeBytes: cacheSize }),
        onWarning: (line) => void terminal.error.write(`${line}\n`),
      });
      // What is new in the heap is garbage of downloads: as much room as the start took is enough. V8 would double it, and keep it.
      setFlagsFromString('--semi-space-growth-factor=1');
      const reload = (): void => void factory.reloadReleases();
      process.on('SIGHUP', reload);
      using _signal = { [Symbol.dispose]: () => process.off('SIGHUP', reload) };
      for (const line of factory.refused) terminal.error.write(`${line}\n`);
      terminal.out.write(
        `nodecore-factory answers at ${factory.externalUrl} (${formatAddress(factory.address)}), releases: ${factory.versions.join(', ') || 'none'}\n`,
      );
      const { metricsAddress } = factory;
      if (metricsAddress !== undefined)
        terminal.out.write(`metrics at http://${formatAddress(metricsAddress)}/metrics\n`);
      await Promise.race([stop.promise, aborted(terminal.signal)]);
    });
};

function address(text: string): Address {
  const found = parseAddress(text);
  if (found === undefined) throw new UsageError(`${text}: must be an address and a port, as 127.0.0.1:8081`);
  return found;
}

function url(text: string): string {
  const found = externalUrlOf(text);
  // It is not repeated: it may have a password in it.
  if (found === undefined)
    throw new UsageError('--external-url: must be a URL as https://factory.example.com');
  return found;
}
