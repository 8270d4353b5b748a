import { once } from 'node:events';
import { createServer } from 'node:tls';
import type { AddressInfo } from 'node:net';

import * as pki from '@nodecore/pki';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';

import {
  KV,
  Maintenance,
  type KVHandlers,
  type MaintenanceHandlers,
  type PutRequest,
  type RangeRequest,
} from '../gen/etcdserverpb.js';
import { connect, get, isKvstoreError, put } from '../src/index.ts';

/** A member that takes what it is asked for and answers as it is told. */
type Stub = {
  readonly endpoint: string;
  readonly puts: PutRequest[];
  readonly ranges: RangeRequest[];
  /** What it answers to everything but a status from now on; nothing: it hangs up. */
  details: string | undefined;
};

async function stubMember(t: ExecutionContext): Promise<Stub> {
  const server = new Server();
  const puts: PutRequest[] = [];
  const ranges: RangeRequest[] = [];
  const stub: { -readonly [Key in keyof Stub]: Stub[Key] } = {
    endpoint: '',
    puts,
    ranges,
    details: undefined,
  };
  const refuse = (callback: (error: { code: number; details: string }) => void): void => {
    if (stub.details === undefined) server.forceShutdown();
    else callback({ code: status.UNAVAILABLE, details: stub.details });
  };
  const handlers: Pick<KVHandlers & MaintenanceHandlers, 'put' | 'range' | 'status'> = {
    put: ({ request }, callback) => {
      puts.push(request);
      refuse(callback);
    },
    range: ({ request }, callback) => {
      ranges.push(request);
      refuse(callback);
    },
    status: (_call, callback) => callback(null, {}),
  };
  server.addService({ put: KV.put, range: KV.range, status: Maintenance.status }, handlers);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
    if (error === null) resolve(port);
    else reject(error);
  });
  t.teardown(() => server.forceShutdown());
  stub.endpoint = `http://127.0.0.1:${await promise}`;
  return stub;
}

test.serial(
  'a write whose answer is lost is not said again, a read is asked of the next member',
  async (t) => {
    const [first, second] = [await stubMember(t), await stubMember(t)];
    await using kvstore = await connect({ endpoints: [first.endpoint, second.endpoint] });
    const lost = await t.throwsAsync(put(kvstore, 'a', '1'));
    t.true(isKvstoreError(lost, 'ERR_KVSTORE_UNREACHABLE'));
    t.deepEqual([first.puts.length, second.puts.length], [1, 0]);

    second.details = 'etcdserver: mvcc: database space exceeded'; // no other member would say anything else
    await t.throwsAsync(get(kvstore, 'a'), { code: 'ERR_KVSTORE_NO_SPACE' });
    t.deepEqual([first.ranges.length, second.ranges.length], [0, 1]);
    // The first one is gone: a write that can't have been heard goes to the next.
    await t.throwsAsync(put(kvstore, 'a', '2'), { code: 'ERR_KVSTORE_NO_SPACE' });
    t.is(second.puts.length, 1);
  },
);

test.serial('reads go on through an election, and end when the time is over', async (t) => {
  const member = await stubMember(t);
  await using kvstore = await connect({ endpoints: [member.endpoint] });
  member.details = 'etcdserver: no leader';
  await t.throwsAsync(get(kvstore, 'a', { timeoutMs: 400 }), { code: 'ERR_KVSTORE_NO_LEADER' });
  t.true(member.ranges.length > 1);
  await t.throwsAsync(put(kvstore, 'a', '1'), { code: 'ERR_KVSTORE_NO_LEADER' });
  t.is(member.puts.length, 1);
});

test.serial('a member whose certificate has expired is named with the reason', async (t) => {
  const authority = await pki.createCA('kvstore');
  const client = await pki.issueClient(authority, { roles: [] });
  const lifetime = { nowMs: Date.now() - 86_400_000, lifetimeMs: 3_600_000 };
  const expired = await pki.issueServer(authority, { names: ['127.0.0.1'], ...lifetime });
  const server = createServer({ cert: expired.crt, key: expired.key.bytes, ALPNProtocols: ['h2'] });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const endpoint = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tls = { ca: authority.crt, certificate: client.crt, key: client.key };
  await t.throwsAsync(connect({ endpoints: [endpoint], tls }), {
    code: 'ERR_KVSTORE_CERTIFICATE',
    message: /has expired, or the clock is wrong/,
  });
});
