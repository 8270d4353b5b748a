import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

import type { Keeper } from './keeper.ts';
import { objects, send } from './lines.ts';
import type { KeeperCall, KeeperReply } from './messages.ts';
import { socketName } from './socket-name.ts';

/** Answers calls until one of them closes the keeper. */
export async function serve(keeper: Keeper, path: string): Promise<void> {
  const closed = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on('error', () => {}); // who asked is gone
    void answer(keeper, socket, closed.resolve).catch(() => socket.destroy());
  });
  const directory = await open(path, 'r');
  try {
    await rm(join(path, socketName), { force: true });
    server.listen(`/proc/self/fd/${directory.fd}/${socketName}`);
    await once(server, 'listening');
    await closed.promise;
    server.close();
  } finally {
    await directory.close();
  }
}

async function answer(keeper: Keeper, socket: Socket, close: () => void): Promise<void> {
  const reply = (line: KeeperReply): void => send(socket, line);
  for await (const call of objects(socket)) {
    try {
      const result = await perform(keeper, call as KeeperCall, reply);
      reply({ result: result ?? null });
      const { method } = call as KeeperCall;
      if (method === 'close' || (method === 'retire' && result === true)) close();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      reply({ error: { code: codeOf(error) ?? 'ERR_CLUSTER_KEEPER', message } });
    }
  }
  socket.end();
}

async function perform(
  keeper: Keeper,
  call: KeeperCall,
  reply: (line: KeeperReply) => void,
): Promise<unknown> {
  switch (call.method) {
    case 'ping':
      return undefined;
    case 'create':
      return await keeper.create(call.imageAuth, (status) => reply({ status }));
    case 'reflect':
      return await keeper.look();
    case 'keep':
      return await keeper.keep();
    case 'start':
      return await keeper.start(call.nodes, (status) => reply({ status }));
    case 'stop':
      return await keeper.stop(call.nodes, call.graceMs);
    case 'reboot':
      return await keeper.reboot(call.nodes, call.fromNetwork);
    case 'configured':
      return await keeper.configured(call.nodes);
    case 'disk':
      return await keeper.disk(call.node, call.change);
    case 'chaos':
      return await keeper.chaos(call.nodes, call);
    case 'retire':
      return keeper.retire();
    case 'close':
      return await keeper.close();
    default:
      throw new TypeError('no such method');
  }
}
