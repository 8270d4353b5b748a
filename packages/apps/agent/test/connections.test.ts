import { EventEmitter } from 'node:events';
import type { TLSSocket } from 'node:tls';

import test from 'ava';

import { anonymousCaller } from '../src/server/caller.ts';
import { Connections } from '../src/server/connections.ts';
import { maintenanceLimits } from '../src/server/limits.ts';

/** What there is of a connection without a network. */
class Socket extends EventEmitter {
  readonly localAddress = '127.0.0.1';
  readonly localPort = 50_000;
  readonly remoteAddress = '127.0.0.1';
  readonly remotePort = 40_000;
  isDestroyed = false;

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

test('a connection without a call is ended when two looks find it so: what it has sent may not be read at the first', (t) => {
  let nowMs = 1_000_000;
  const ended: string[] = [];
  const { connections: limits } = maintenanceLimits;
  const connections = new Connections({
    limits,
    clock: { now: () => nowMs },
    ended: (reason) => ended.push(reason),
  });
  t.teardown(() => connections.close());
  const socket = new Socket();
  const taken = connections.add(socket as unknown as TLSSocket, anonymousCaller('127.0.0.1'));
  t.is(taken, undefined);
  connections.sweep();
  nowMs += limits.firstCallMs - 1;
  connections.sweep();
  nowMs += 60_000; // the loop stood still
  connections.sweep();
  t.false(socket.isDestroyed);
  connections.sweep();
  t.true(socket.isDestroyed);
  t.deepEqual(ended, ['idle']);
});
