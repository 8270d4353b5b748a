/** Sockets in another network namespace than this process's: one belongs to the namespace that it was made in, whoever uses it. */
import { onAbort } from '@nodecore/waiting';

import { addon } from './addon.ts';
import { isSystemFailure, systemCallError, translated } from './errors.ts';
import { Handle } from './handle.ts';
import type { AddonConnection } from './netns-addon.ts';

export { NativeError, type NativeErrorCode } from './errors.ts';

/** Files by which a network namespace is entered, as nsenter(1) takes them. */
export type NamespaceFiles = {
  readonly networkNamespace: string;
  /** Of the user namespace that it is in, where this process may act for it there alone. */
  readonly userNamespace?: string;
};

/** An address of IPv4 or IPv6, and a port. */
export type Endpoint = { readonly address: string; readonly port: number };

/**
 * A socket that listens in a namespace, for `server.listen({ fd })`. At `::` it takes connections of both families.
 *
 * @returns its descriptor, which is the caller's to close.
 * @throws {NativeError} `ERR_NATIVE_SYSTEM_CALL`: `EADDRINUSE`, `EPERM` where this user may not enter the namespace …
 */
export async function listenIn(files: NamespaceFiles, { address, port }: Endpoint): Promise<number> {
  const [network, user] = pathsOf(files);
  return await made(`${address} port ${port}`, () => addon().listenIn(network, user, address, port));
}

/**
 * A connection from a namespace to an address there, for `new Socket({ fd })`.
 *
 * @returns its descriptor, which is the caller's to close.
 * @throws {NativeError} `ERR_NATIVE_SYSTEM_CALL`: `ECONNREFUSED`, `EHOSTUNREACH` …; and the reason of the signal
 */
export async function connectIn(
  files: NamespaceFiles,
  { address, port }: Endpoint,
  signal?: AbortSignal,
): Promise<number> {
  signal?.throwIfAborted();
  const [network, user] = pathsOf(files);
  const on = `${address} port ${port}`;
  const fd = await made(on, () => addon().dialIn(network, user, address, port));
  using connection = Connection.of(fd, on);
  return await connection.established(signal);
}

/**
 * A socket for datagrams of a family at any port of a namespace, for `socket.bind({ fd })`.
 *
 * @returns its descriptor, which is the caller's to close.
 * @throws {NativeError} `ERR_NATIVE_SYSTEM_CALL`
 */
export async function datagramIn(files: NamespaceFiles, family: 'udp4' | 'udp6'): Promise<number> {
  const [network, user] = pathsOf(files);
  return await made(network, () => addon().datagramIn(network, user, family === 'udp6'));
}

/** A connection on its way. */
class Connection extends Handle<AddonConnection> {
  readonly #on: string;

  private constructor(native: AddonConnection, on: string) {
    super(native, `connection to ${on}`);
    this.#on = on;
  }

  static of(fd: number, on: string): Connection {
    const { Connection: Native } = addon();
    return new Connection(
      translated(on, () => new Native(fd)),
      on,
    );
  }

  async established(signal: AbortSignal | undefined): Promise<number> {
    signal?.throwIfAborted();
    using _listener = onAbort(signal, () => this.close());
    await this.readable();
    signal?.throwIfAborted();
    return translated(this.#on, () => this.native.take());
  }
}

function pathsOf({ networkNamespace, userNamespace = '' }: NamespaceFiles): readonly [string, string] {
  return [networkNamespace, userNamespace];
}

async function made(on: string, make: () => Promise<number>): Promise<number> {
  try {
    return await make();
  } catch (error) {
    throw isSystemFailure(error) ? systemCallError(error, on) : error;
  }
}
