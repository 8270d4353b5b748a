import type { Server, Socket } from 'node:net';

import { type Dial, dialHere } from './dial.ts';
import type { SocketAddress } from './spec.ts';
import { cut, join } from './splice.ts';

const probeMs = 1000;
const connectMs = 900;

type Upstream = { readonly target: SocketAddress; isUp: boolean; readonly connections: Set<Socket> };

/**
 * Divides connections among targets: each goes to the one with the fewest of those that are up. A target that takes no connection any
 * more loses those that it has, so that who waits for it goes elsewhere.
 */
export class Balancer implements Disposable {
  readonly #upstreams: readonly Upstream[];
  readonly #dial: Dial;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param targets all taken for up until they are asked
   * @param dial reaches them; default from the namespace of this process
   */
  constructor(targets: readonly SocketAddress[], dial: Dial = dialHere) {
    this.#dial = dial;
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
        const socket = await this.#reach(upstream.target);
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
    if (!isUp) for (const socket of upstream.connections) cut(socket);
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
      if (next === undefined) return cut(near);
      tried.add(next);
      next.connections.add(near); // from now on, or all that come at once would go to one
      const far = await this.#reach(next.target);
      if (far !== undefined) {
        join(near, far);
        near.once('close', () => next.connections.delete(near));
        if (near.destroyed) next.connections.delete(near);
        return;
      }
      next.connections.delete(near);
      this.#mark(next, false);
    }
  }

  /** Undefined: it takes no connection in time. */
  async #reach(target: SocketAddress): Promise<Socket | undefined> {
    return await this.#dial(target, AbortSignal.timeout(connectMs)).catch(() => undefined);
  }
}
