import { Socket } from 'node:net';

/** The connections of a pool, from before they are connected until they are closed: the pool itself forgets those that it ends. */
export class Connections {
  readonly #open = new Set<Socket>();
  #none = Promise.withResolvers<void>();

  /** One that is not connected yet. */
  readonly open = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      if (this.#open.size === 0) this.#none.resolve();
    });
    return socket;
  };

  get count(): number {
    return this.#open.size;
  }

  /** Resolves when none is open. */
  async closed(): Promise<void> {
    if (this.#open.size === 0) return;
    this.#none = Promise.withResolvers();
    await this.#none.promise;
  }

  /** Closes all without a word to the other side. */
  giveUp(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
