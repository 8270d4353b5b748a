import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { tethered } from '@nodecore/sys';
import { findProgram, temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';
import { Client } from 'pg';

/** Authority, certificate and key of a server, PEM. */
export type ServerTls = { readonly certificate: string; readonly key: string };

/** A real PostgreSQL of a test's own: on a socket in its directory, and with TLS on a loopback address besides. */
export class PostgresServer {
  readonly directory: string;
  /** All of 127.0.0.0/8 is this machine: nobody else has this one. */
  readonly host = `127.${[0, 0, 0].map(() => randomInt(1, 255)).join('.')}`;
  readonly #arguments: readonly string[];
  #child: ChildProcess | undefined;

  constructor(directory: string, more: readonly string[]) {
    this.directory = directory;
    this.#arguments = more;
  }

  /** Of a database there, by its socket. */
  url(database = 'factory', user = 'factory'): string {
    return `postgresql://${user}@${encodeURIComponent(this.directory)}/${database}`;
  }

  /** @param listens on its address, too. */
  async start(listens = false): Promise<void> {
    const postgres = findProgram('postgres') ?? '';
    const child = tethered(
      [
        ...asNobody(),
        postgres,
        ['-D', join(this.directory, 'data')],
        ['-c', `listen_addresses=${listens ? this.host : ''}`],
        ['-c', `unix_socket_directories=${this.directory}`],
        ['-c', 'fsync=off'],
        this.#arguments,
      ].flat(),
      { stdio: ['ignore', 'ignore', 'pipe'], env: environmentOf(postgres) },
    );
    this.#child = child;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const lines: string[] = [];
    createInterface(child.stderr!).on('line', (line) => {
      lines.push(line);
      if (line.includes('database system is ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(lines.slice(-12).join('\n'))));
    await promise;
  }

  /** It goes at once, and all connections with it. */
  async stop(signal: NodeJS.Signals = 'SIGQUIT'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** As the one who may do everything. */
  async sql(text: string, database = 'postgres'): Promise<readonly Record<string, unknown>[]> {
    const client = new Client({ host: this.directory, user: 'owner', database });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows ?? [];
    } finally {
      await client.end();
    }
  }

  /** A database of the user `factory`. */
  async create(database: string, options = ''): Promise<string> {
    await this.sql(`CREATE DATABASE ${database} OWNER factory ${options}`);
    return this.url(database);
  }
}

/**
 * A server that ends with the test, with a user and a database `factory`.
 *
 * @param tls with which it listens on its address, too, and asks for a password there.
 */
export async function postgresServer(
  t: Pick<ExecutionContext, 'teardown'>,
  tls?: (host: string) => Promise<ServerTls>,
): Promise<PostgresServer> {
  const directory = await temporaryDirectory(t);
  const initdb = findProgram('initdb') ?? '';
  const words = [
    '-D',
    join(directory, 'data'),
    '-N',
    '-A',
    'trust',
    '-U',
    'owner',
    '-E',
    'UTF8',
    '--locale=C',
  ];
  const [first = '', ...others] = [...asNobody(), initdb, ...words];
  execFileSync(first, others, { stdio: 'ignore', env: environmentOf(initdb) });
  const files = ['server.crt', 'server.key'].map((name) => join(directory, name)) as [string, string];
  const arguments_ = tls ? ['ssl=on', `ssl_cert_file=${files[0]}`, `ssl_key_file=${files[1]}`] : [];
  const server = new PostgresServer(
    directory,
    arguments_.flatMap((setting) => ['-c', setting]),
  );
  if (tls !== undefined) {
    const { certificate, key } = await tls(server.host);
    await writeFile(files[0], certificate);
    await writeFile(files[1], key);
    await chmod(files[1], 0o600);
    const access = ['local all all trust', 'hostssl all all all scram-sha-256', ''].join('\n');
    await writeFile(join(directory, 'data/pg_hba.conf'), access);
  }
  t.teardown(() => server.stop());
  await server.start(tls !== undefined);
  await server.sql('CREATE ROLE factory LOGIN');
  await server.create('factory');
  return server;
}

/** It refuses root: in a namespace of users root is somebody else, who still may read the checkout. */
function asNobody(): readonly string[] {
  return process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : [];
}

function environmentOf(path: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LD_LIBRARY_PATH: join(dirname(path), 'lib'), LC_ALL: 'C' };
}
