import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createServer } from './http.ts';

type Address = { readonly host: string; readonly port: number };

/** What Prometheus is told. */
export type Metrics = {
  readonly contentType: string;
  text(): Promise<string>;
};

/** Answers `/metrics` and `/healthz` over plain HTTP, to everybody who reaches it: have it listen on loopback. */
export class Observer {
  readonly #http: Server;
  #stopping = false;

  constructor(metrics: Metrics) {
    this.#http = createServer((request, response) => void this.#answer(metrics, request, response));
    this.#http.requestTimeout = 5_000;
    this.#http.maxConnections = 32;
  }

  async listen({ host, port }: Address): Promise<Address> {
    this.#http.listen(port, host);
    await once(this.#http, 'listening'); // rejects with the error of the bind
    const { address, port: bound } = this.#http.address() as AddressInfo;
    return { host: address, port: bound };
  }

  /** From now on the server is not healthy: a load balancer goes elsewhere. */
  stopping(): void {
    this.#stopping = true;
  }

  async close(): Promise<void> {
    if (!this.#http.listening) return;
    const closed = once(this.#http, 'close');
    this.#http.close();
    this.#http.closeAllConnections();
    await closed;
  }

  async #answer(metrics: Metrics, { method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = url?.replace(/\?.*$/, '');
    if (method !== 'GET' && method !== 'HEAD') end(response, 405, 'only GET\n');
    else if (path === '/healthz')
      end(response, this.#stopping ? 503 : 200, this.#stopping ? 'stopping\n' : 'ok\n');
    else if (path === '/metrics') end(response, 200, await metrics.text(), metrics.contentType);
    else end(response, 404, '/metrics or /healthz\n');
  }
}

function end(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}
