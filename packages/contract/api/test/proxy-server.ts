import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

import type { Identity } from '@nodecore/pki';
import type { ExecutionContext } from 'ava';

export type FakeProxy = {
  readonly port: number;
  /** `host:port` of each connection that it was asked for. */
  readonly asked: readonly string[];
  /** Who asked, as it was said. */
  readonly users: readonly (string | undefined)[];
};

async function listening(t: ExecutionContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Leads every connection to this port of loopback, whatever it was asked for. */
function join(socket: Socket, port: number): void {
  const onward = connect({ host: '127.0.0.1', port });
  onward.on('error', () => socket.destroy());
  socket.on('error', () => {}).on('close', () => onward.destroy());
  onward.on('close', () => socket.destroy());
  socket.pipe(onward).pipe(socket);
}

/** An HTTP proxy by Node.js, with TLS of its own when it has an identity. */
export async function httpProxy(
  t: ExecutionContext,
  {
    to,
    status = 200,
    identity,
  }: { readonly to: number; readonly status?: number; readonly identity?: Identity },
): Promise<FakeProxy> {
  const asked: string[] = [];
  const users: (string | undefined)[] = [];
  const server =
    identity === undefined
      ? createHttpServer()
      : createHttpsServer({ cert: identity.crt, key: identity.key.bytes });
  server.on('connect', ({ url, headers }: IncomingMessage, socket: Socket) => {
    asked.push(url ?? '');
    users.push(headers['proxy-authorization']);
    socket.write(`HTTP/1.1 ${status} As It Is\r\nServer: test\r\n\r\n`);
    if (status === 200) join(socket, to);
    else socket.end();
  });
  return { port: await listening(t, server), asked, users };
}

/** SOCKS 5 as RFC 1928 has it; wants a user when it is given one. */
export async function socksProxy(
  t: ExecutionContext,
  { to, reply = 0, user }: { readonly to: number; readonly reply?: number; readonly user?: string },
): Promise<FakeProxy> {
  const asked: string[] = [];
  const users: (string | undefined)[] = [];
  const serve = async (socket: Socket): Promise<void> => {
    const take = async (count: number): Promise<Buffer> => {
      for (;;) {
        const bytes = socket.read(count) as Buffer | null;
        if (bytes !== null) return bytes;
        await once(socket, 'readable');
      }
    };
    const counted = async (): Promise<string> => (await take((await take(1))[0]!)).toString();
    const [, count = 0] = await take(2);
    const methods = [...(await take(count))];
    const method = user === undefined ? 0 : 2;
    socket.write(Buffer.of(5, methods.includes(method) ? method : 255));
    if (user !== undefined) {
      await take(1);
      const said = `${await counted()}:${await counted()}`;
      users.push(said);
      socket.write(Buffer.of(1, said === user ? 0 : 1));
    }
    const kind = (await take(4))[3];
    const host =
      kind === 3
        ? await counted()
        : kind === 1
          ? [...(await take(4))].join('.')
          : (await take(16)).toString('hex');
    asked.push(`${host}:${(await take(2)).readUInt16BE()}`);
    socket.write(Buffer.concat([Buffer.of(5, reply, 0, 1), Buffer.alloc(6)]));
    if (reply === 0) join(socket, to);
    else socket.end();
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    serve(socket).catch(() => socket.destroy());
  });
  return { port: await listening(t, server), asked, users };
}

/** Answers every connection with these bytes, and hangs up. */
export async function strangeProxy(t: ExecutionContext, answer: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  return await listening(t, server);
}
