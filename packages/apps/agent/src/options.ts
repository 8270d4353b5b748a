import { isIPv4 } from 'node:net';

import { Command, InvalidArgumentError, Option } from 'commander';

import { imagePaths } from './image/paths.ts';
import { type LogLevel, logLevels } from './log.ts';
import { defaultSignerPort } from './signing/default-port.ts';
import type { Address } from './address.ts';

/** What a new keyslot costs: passes of argon2id over memory. */
export type KeyDerivation = {
  readonly type: 'argon2id';
  readonly iterations: number;
  readonly memoryKib: number;
};

/** What the command line says. */
export type Options = {
  readonly state?: string;
  readonly listen: Address;
  readonly signerPort: number;
  readonly logLevel: LogLevel;
  readonly mountRoot?: string;
  readonly runDirectory: string;
  readonly unmountOnExit: boolean;
  readonly metrics?: Address;
  readonly keyDerivation?: KeyDerivation;
  readonly proofLimit?: number;
  readonly keepServices: boolean;
  /** The machine runs our own image. */
  readonly image: boolean;
  /** Check this configuration, and nothing else. */
  readonly checkConfig?: string;
};

/** Reads the command line; a wrong one prints what is wrong and ends the process with 2. */
export function parseOptions(argv: readonly string[]): Options {
  const command = new Command('nodecore-agent')
    .description('Turns machine-configuration documents into running volumes and serves the node API.')
    .option(
      '--state <dir>',
      'keep state in this directory of a host; without it, on the disk with the META partition',
    )
    .addOption(
      new Option('--listen <host:port>', 'where the API listens; [::] is every address, also of IPv4')
        .default({ host: '::', port: 50_000 }, '[::]:50000')
        .argParser(parseAddress),
    )
    .addOption(
      new Option('--signer-port <port>', 'where control planes sign the certificates of workers')
        .default(defaultSignerPort)
        .argParser(parsePort),
    )
    .addOption(new Option('--log-level <level>', 'how much is logged').choices(logLevels).default('info'))
    .addOption(
      new Option(
        '--metrics <address:port>',
        'where /metrics and /healthz are answered, on loopback (default: nowhere)',
      ).argParser(parseLoopback),
    )
    .option('--image', "the machine runs the image of the node OS: all of it is the node's own", false)
    .option('--mount-root <dir>', 'mount volumes below this directory')
    .addOption(
      new Option('--run-directory <dir>', 'for what does not outlive the boot (default: /run/nodecore)'),
    )
    .addOption(
      new Option(
        '--key-derivation <passes,KiB>',
        'what new keyslots cost, as passes of argon2id over memory (default: measured, 2 seconds on this machine)',
      ).argParser(parseKeyDerivation),
    )
    .addOption(
      new Option(
        '--proof-limit <seconds>',
        'how long it may take to prove a disk empty (default: 1, and 15 for a disk that turns)',
      ).argParser(parseProofLimit),
    )
    .option(
      '--keep-services',
      'services go on when the agent is killed, and the next one finds them; with --image, always',
      false,
    )
    .option(
      '--check-config <file>',
      'check a configuration, - for standard input, touch nothing and end: with 0, or with 1 when it can not be used',
    )
    .option('--unmount-on-exit', 'with --state: unmount and lock volumes at the end', false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  type Parsed = Omit<Options, 'runDirectory'> & { readonly runDirectory?: string };
  const options = command.parse(argv, { from: 'user' }).opts<Parsed>();
  if (options.image && options.state !== undefined)
    command.error('error: --image is for a machine of its own, which has no --state', { exitCode: 2 });
  const runDirectory = options.runDirectory ?? (options.image ? imagePaths.run : '/run/nodecore');
  // A machine of our own is switched off after us: nothing is left mounted there.
  return { ...options, runDirectory, unmountOnExit: options.unmountOnExit || options.state === undefined };
}

/** `4,65536`: within what libcryptsetup accepts. */
export function parseKeyDerivation(text: string): KeyDerivation {
  const match = /^(\d{1,9}),(\d{1,7})$/.exec(text);
  const [iterations, memoryKib] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || iterations < 4 || memoryKib < 32 || memoryKib > 4_194_304)
    throw new InvalidArgumentError('must be passes,KiB with at least 4 passes and 32 to 4194304 KiB');
  return { type: 'argon2id', iterations, memoryKib };
}

/** 0 asks for a free one. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 65_536;
  if (port > 65_535) throw new InvalidArgumentError('must be a port, 0 to 65535');
  return port;
}

/** Seconds, 1 to 600. */
export function parseProofLimit(text: string): number {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > 600) throw new InvalidArgumentError('must be 1 to 600 seconds');
  return seconds;
}

/** `127.0.0.1:9100`: what is answered there is answered to every client that reaches it. */
export function parseLoopback(text: string): Address {
  const address = parseAddress(text);
  if (address.host === '::1' || (isIPv4(address.host) && address.host.startsWith('127.'))) return address;
  throw new InvalidArgumentError('must be an address of loopback, such as 127.0.0.1:9100');
}

/** `host:port`; an IPv6 address in brackets. Without a host it is every address of both families. */
export function parseAddress(text: string): Address {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) throw new InvalidArgumentError('must be host:port');
  return { host: match[1] ?? (match[2] || '::'), port };
}
