import { isIPv4 } from 'node:net';

import { type Command, InvalidArgumentError, Option } from 'commander';

import {
  endOnDefect,
  formatSocketAddress,
  parseSocketAddress,
  type SocketAddress,
  stopSignal,
} from '@nodecore/sys';

import type { FactoryPlace, FleetConfiguration } from '../configuration.ts';
import { FleetError } from '../errors.ts';
import { createLog, type LogLevel, logLevels } from '../log.ts';

type ServeOptions = {
  readonly listen: SocketAddress;
  readonly advertisedUrl?: URL;
  readonly state: string;
  readonly stateKey?: string;
  readonly formerStateKey: readonly string[];
  readonly certificate?: string;
  readonly key?: string;
  readonly primaryFactoryUrl?: URL;
  readonly primaryFactoryTokenFile?: string;
  readonly secondaryFactoryUrl?: URL;
  readonly secondaryFactoryTokenFile?: string;
  readonly initialUser?: string;
  readonly initialServiceAccount: string;
  readonly initialServiceAccountKey?: string;
  readonly logLevel: LogLevel;
};

/** Gives the command its options and its action, which serves until SIGTERM or SIGINT; a defect ends the process with 70. */
export function configureServe(command: Command): void {
  command
    .description('serves the API, machines and the web page on one port until SIGTERM')
    .addOption(
      new Option('--listen <address:port>', 'where everything is served')
        .default({ host: '0.0.0.0', port: 8080 }, '0.0.0.0:8080')
        .argParser(address),
    )
    .addOption(
      new Option(
        '--advertised-url <url>',
        'https://host:port by which clients and machines come (default: what it listens on)',
      ).argParser(url),
    )
    .requiredOption(
      '--state <file>',
      'SQLite file with everything the fleet knows, made when it is not there',
    )
    .option(
      '--state-key <file>',
      'key that what is sensitive in the state is encrypted with, made when it is not there (default: STATE.key)',
    )
    .addOption(
      new Option('--former-state-key <file>', 'a key that is to be replaced by --state-key; may be repeated')
        .default([], 'none')
        .argParser((path, before: readonly string[]) => [...before, path]),
    )
    .option('--certificate <file>', 'certificate of the server, PEM, with its chain (default: made here)')
    .option('--key <file>', 'its key, PEM')
    .addOption(
      new Option('--primary-factory-url <url>', 'image factory that is asked about images').argParser(
        factoryUrl,
      ),
    )
    .option('--primary-factory-token-file <file>', 'token of it with the scope report:read, read at each use')
    .addOption(
      new Option(
        '--secondary-factory-url <url>',
        'image factory that is asked about what the first one does not know',
      ).argParser(factoryUrl),
    )
    .option('--secondary-factory-token-file <file>', 'token of it')
    .option('--initial-user <email>', 'an administrator, who gets in by a code that is printed once')
    .option('--initial-service-account <name>', 'name of the first service account', 'automation')
    .option(
      '--initial-service-account-key <file>',
      'make a service account with the role Admin when there is none, and write its key there',
    )
    .addOption(new Option('--log-level <level>', 'how much is logged').choices(logLevels).default('info'))
    .action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  const configuration = configurationOf(options);
  const log = createLog(options.logLevel);
  endOnDefect((error) => log.error({ err: error }, 'defect'));
  const stop = stopSignal();
  const { startFleet } = await import('../fleet.ts');
  await using fleet = await startFleet({ configuration, log });
  const { fleetCa, address: listening } = fleet;
  log.info({ ...listening, url: configuration.advertisedUrl.origin, pid: process.pid }, 'listening');
  if (fleetCa !== undefined) process.stdout.write(`fleetca=sha256:${fleetCa}\n`);
  log.info({ signal: await stop }, 'stopping');
}

function configurationOf(options: ServeOptions): FleetConfiguration {
  const { listen, state, certificate, key, initialUser, initialServiceAccountKey: keyPath } = options;
  if ((certificate === undefined) !== (key === undefined))
    throw new FleetError('ERR_FLEET_SETUP', '--certificate and --key go together');
  return {
    listen,
    advertisedUrl: options.advertisedUrl ?? ownUrl(listen),
    stateFile: state,
    formerStateKeys: options.formerStateKey,
    factories: factoriesOf(options),
    ...(options.stateKey !== undefined && { stateKey: options.stateKey }),
    ...(certificate !== undefined && key !== undefined && { certificate: { crt: certificate, key } }),
    ...(initialUser !== undefined && { initialUser }),
    ...(keyPath !== undefined && {
      initialServiceAccount: { name: options.initialServiceAccount, keyPath },
    }),
  };
}

function factoriesOf(options: ServeOptions): readonly FactoryPlace[] {
  const places = [
    ['primary', options.primaryFactoryUrl, options.primaryFactoryTokenFile],
    ['secondary', options.secondaryFactoryUrl, options.secondaryFactoryTokenFile],
  ] as const;
  return places.flatMap(([name, place, tokenFile]) => {
    if (place === undefined && tokenFile !== undefined)
      throw new FleetError('ERR_FLEET_SETUP', `--${name}-factory-token-file needs --${name}-factory-url`);
    if (tokenFile !== undefined && place?.protocol === 'http:' && !isLoopback(place.hostname))
      throw new FleetError('ERR_FLEET_SETUP', `--${name}-factory-url: a token is not sent in plain text`);
    return place === undefined ? [] : [{ url: place, ...(tokenFile !== undefined && { tokenFile }) }];
  });
}

function isLoopback(host: string): boolean {
  return host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}

function ownUrl(listen: SocketAddress): URL {
  const { host, port } = listen;
  if (host === '0.0.0.0' || host === '::' || port === 0)
    throw new FleetError(
      'ERR_FLEET_SETUP',
      '--advertised-url is needed: nobody can come to every address, or to a port that is not known yet',
    );
  return new URL(`https://${formatSocketAddress(listen)}`);
}

function address(text: string): SocketAddress {
  const parsed = parseSocketAddress(text);
  if (parsed === undefined) throw new InvalidArgumentError('An address and a port: 0.0.0.0:8080.');
  return parsed;
}

function factoryUrl(text: string): URL {
  const parsed = URL.parse(text);
  const isPlain =
    parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '';
  // What is refused is not repeated, as commander would: it may have a password in it.
  if (!isPlain || parsed.search !== '' || parsed.hash !== '')
    throw new FleetError(
      'ERR_FLEET_SETUP',
      'an image factory is a URL as https://factory.example, without a password',
    );
  return parsed;
}

function url(text: string): URL {
  const parsed = URL.parse(text);
  if (parsed?.protocol !== 'https:' || parsed.pathname !== '/' || parsed.username !== '')
    throw new InvalidArgumentError('A URL without a path: https://fleet.example:8080.');
  return parsed;
}
