import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Where lines are sent to. */
export type ReceiverAddress = {
  readonly protocol: 'tcp' | 'udp';
  readonly host: string;
  readonly port: number;
};

/** Who gets lines. A failure ends the connection; the next line begins another one. */
export class Receiver implements Disposable {
  readonly #address: ReceiverAddress;
  #tcp: Socket | undefined;
  #udp: UdpSocket | undefined;

  constructor(address: ReceiverAddress) {
    this.#address = address;
  }

  /** Resolves when the line is with the kernel of this machine. @throws {Error} with the code of what failed. */
  async send(line: string, signal: AbortSignal): Promise<void> {
    const { protocol, host, port } = this.#address;
    const bytes = Buffer.from(`${line}\n`);
    if (protocol === 'udp') {
      this.#udp ??= createSocket(host.includes(':') ? 'udp6' : 'udp4').on('error', () => {});
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      this.#udp.send(bytes, port, host, (error) => (error === null ? resolve() : reject(error)));
      return await promise;
    }
    const socket = await this.#connected(signal);
    if (!socket.write(bytes)) await once(socket, 'drain', { signal });
    if (socket.destroyed) throw socket.errored ?? Object.assign(new Error('closed'), { code: 'EPIPE' });
  }

  [Symbol.dispose](): void {
    this.#tcp?.destroy();
    this.#udp?.close();
    this.#tcp = undefined;
    this.#udp = undefined;
  }

  async #connected(signal: AbortSignal): Promise<Socket> {
    if (this.#tcp !== undefined && !this.#tcp.destroyed && this.#tcp.writable) return this.#tcp;
    const { host, port } = this.#address;
    const socket = connect(port, host);
    this.#tcp = socket;
    try {
      await once(socket, 'connect', { signal });
    } catch (error) {
      socket.destroy();
      throw error;
    }
    socket.on('error', () => {}); // the next line says it
    socket.resume(); // what a receiver says is nothing to us; that it has gone is
    return socket;
  }
}
