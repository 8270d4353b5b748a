import { connect, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

import type { SocketAddress } from './spec.ts';

const probeMs = 1000;
const connectMs = 900;

type Upstream = { readonly target: SocketAddress; isUp: boolean; readonly connections: Set<Socket> };

/**
 * Divides connections among targets: each goes to the one with the fewest of those that are up. A target that takes no connection any
 * more loses those that it has, so that who waits for it goes elsewhere.
 */
export class Balancer implements Disposable {
  readonly #upstreams: readonly Upstream[];
  #timer: NodeJS.Timeout | undefined;

  /** @param targets all taken for up until they are asked */
  constructor(targets: readonly SocketAddress[]) {
    this.#upstreams = targets.map((target) => ({ target, isUp: true, connections: new Set() }));
  }

  /** Takes the connections of a server, and asks every second who is up. */
  serve(server: Server): void {
    server.on('connection', (near: Socket) => void this.#join(near));
    this.#timer = setInterval(() => void this.probe(), probeMs);
    this.#timer.unref();
  }

  /** Asks each target whether it takes connections. */
  async probe(): Promise<void> {
    await Promise.all(
      this.#upstreams.map(async (upstream) => {
        const socket = await dial(upstream.target);
        socket?.destroy();
        this.#mark(upstream, socket !== undefined);
      }),
    );
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #mark(upstream: Upstream, isUp: boolean): void {
    upstream.isUp = isUp;
    if (!isUp) for (const socket of upstream.connections) socket.destroy();
  }

  async #join(near: Socket): Promise<void> {
    near.on('error', () => {}); // who asked is gone
    near.setNoDelay(true);
    const tried = new Set<Upstream>();
    for (;;) {
      const next = this.#upstreams
        .filter((each) => each.isUp && !tried.has(each))
        .reduce<Upstream | undefined>(
          (least, each) =>
            least === undefined || each.connections.size < least.connections.size ? each : least,
          undefined,
        );
      if (next === undefined) return void near.destroy();
      tried.add(next);
      next.connections.add(near); // from now on, or all that come at once would go to one
      const far = await dial(next.target);
      if (far !== undefined) {
        pipeline(near, far, near, () => {
          near.destroy();
          far.destroy();
        });
        near.once('close', () => next.connections.delete(near));
        if (near.destroyed) next.connections.delete(near);
        return;
      }
      next.connections.delete(near);
      this.#mark(next, false);
    }
  }
}

/** Undefined: it takes no connection in time. */
async function dial({ address, port }: SocketAddress): Promise<Socket | undefined> {
  const socket = connect({ host: address, port, noDelay: true });
  const { promise, resolve } = Promise.withResolvers<Socket | undefined>();
  const timer = setTimeout(() => resolve(undefined), connectMs);
  socket.once('connect', () => resolve(socket));
  socket.on('error', () => resolve(undefined));
  const found = await promise;
  clearTimeout(timer);
  if (found === undefined) socket.destroy();
  return found;
}
