import { type Command, Option } from 'commander';
import type { Rate } from '@nodecore/waiting';
import { endOnDefect, type SocketAddress, stopSignal } from '@nodecore/sys';

import { KeyServerError } from '../errors.ts';
import { startKeyServer } from '../serve.ts';
import type { TlsFiles } from '../server/credentials.ts';
import type { KeyServer } from '../server/key-server.ts';
import type { LogLevel } from '../server/log.ts';
import { defaultLimits as limits } from '../server/rate-limit.ts';
import { protectMemory } from './memory.ts';
import { address, rate, ringOption } from './options.ts';

type ServeOptions = {
  readonly listen: SocketAddress;
  readonly ring: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly clientCa?: string;
  readonly anyClient?: true;
  readonly plaintext?: true;
  readonly nodes?: string;
  readonly audit?: string;
  readonly metrics: SocketAddress | false;
  readonly rateNode: Rate;
  readonly ratePeer: Rate;
  readonly logLevel: LogLevel;
};

const shown = ({ burst, perSecond }: Rate): string => `${burst},${perSecond}`;

/**
 * Gives the command its options and its action, which answers calls until SIGTERM or SIGINT. The action
 * rejects with `ERR_KMS_SETUP` where certificates are missing or options contradict; a defect ends the process with 70.
 */
export function configureServe(command: Command): void {
  command
    .description(
      'answers Seal and Unseal until SIGTERM; SIGHUP reads all files again and reopens the audit log',
    )
    .addOption(
      new Option('--listen <address:port>', 'where calls are answered')
        .default({ host: '0.0.0.0', port: 4050 }, '0.0.0.0:4050')
        .argParser(address),
    )
    .addOption(ringOption())
    .option('--certificate <file>', 'certificate of the server, PEM, with its chain')
    .option('--key <file>', 'its key, PEM')
    .option(
      '--client-ca <file>',
      'authorities of client certificates, PEM; a node must have one with the name urn:uuid:<its UUID>',
    )
    .option('--any-client', 'instead of --client-ca: anybody may claim to be any node')
    .option('--plaintext', 'instead of certificates: no TLS, only on loopback')
    .option('--nodes <file>', 'serve only these nodes: one UUID a line (default: all)')
    .option('--audit <file>', 'write the audit log there (default: standard output)')
    .addOption(
      new Option('--metrics <address:port>', 'where /metrics and /healthz are answered, on loopback')
        .default({ host: '127.0.0.1', port: 4051 }, '127.0.0.1:4051')
        .argParser(address),
    )
    .option('--no-metrics', 'answer them nowhere')
    .addOption(
      new Option('--rate-node <burst,per-second>', 'calls of one node')
        .default(limits.node, shown(limits.node))
        .argParser(rate),
    )
    .addOption(
      new Option('--rate-peer <burst,per-second>', 'calls of one address (IPv6: of one /64)')
        .default(limits.peer, shown(limits.peer))
        .argParser(rate),
    )
    .addOption(
      new Option('--log-level <level>', 'how much is logged')
        .choices(['error', 'warn', 'info', 'debug', 'silent'])
        .default('info'),
    )
    .action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  const tls = tlsOf(options);
  const { StandardOutput } = await import('../server/line-file.ts');
  const { createLog } = await import('../server/log.ts');
  const log = createLog(options.logLevel, new StandardOutput());
  endOnDefect((error) => log.error({ err: error }, 'defect'));
  await protectMemory(log);
  const stop = stopSignal();
  await using server = await startKeyServer({
    listen: options.listen,
    ring: options.ring,
    tls,
    nodes: options.nodes,
    audit: options.audit,
    observe: options.metrics === false ? undefined : options.metrics,
    limits: { node: options.rateNode, peer: options.ratePeer },
    log,
  });
  const reload = (): void => void again(server);
  process.on('SIGHUP', reload);
  if (tls === 'plaintext')
    log.warn('plaintext: for a proxy on this machine that has certificates, or for tests');
  else if (tls.clientAuthorities === undefined)
    log.warn('any client: whoever knows the UUID of a node and has its sealed key gets the key');
  log.info({ ...server.address, metrics: server.observeAddress, pid: process.pid }, 'listening');
  log.info({ signal: await stop }, 'stopping');
  process.off('SIGHUP', reload);
}

async function again(server: KeyServer): Promise<void> {
  await server.reopenAudit();
  await server.reload();
}

function wrong(message: string): KeyServerError {
  return new KeyServerError('ERR_KMS_SETUP', message);
}

function tlsOf(options: ServeOptions): TlsFiles | 'plaintext' {
  const { certificate, key, clientCa, anyClient, plaintext } = options;
  if (plaintext === true) {
    if ([certificate, key, clientCa, anyClient].some((option) => option !== undefined))
      throw wrong('--plaintext has no certificates');
    return 'plaintext';
  }
  if (certificate === undefined || key === undefined)
    throw wrong(
      '--certificate and --key are needed; for tests on this machine, --plaintext --listen 127.0.0.1:4050',
    );
  if ((clientCa === undefined) === (anyClient === undefined))
    throw wrong('say who may call: --client-ca FILE, or --any-client when nodes have no certificates');
  return { certificate, key, clientAuthorities: clientCa };
}
