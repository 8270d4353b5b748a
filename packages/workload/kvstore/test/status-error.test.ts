import { status } from '@grpc/grpc-js';
import { Secret } from '@nodecore/sys';
import test from 'ava';

import type { Channel } from '../src/channel.ts';
import { Deadline } from '../src/deadline.ts';
import { parseEndpoint } from '../src/endpoint.ts';
import { Login } from '../src/login.ts';
import { statusError } from '../src/status-error.ts';

function codeOf(number: number, words = ''): string {
  return statusError('a', number, words).code;
}

test('a status has a code of its own, and where etcd uses one for many things its words decide', (t) => {
  t.is(codeOf(status.DEADLINE_EXCEEDED), 'ERR_KVSTORE_TIMEOUT');
  t.is(codeOf(status.PERMISSION_DENIED, 'etcdserver: no leader'), 'ERR_KVSTORE_DENIED');
  t.is(codeOf(status.UNAVAILABLE), 'ERR_KVSTORE_UNREACHABLE');
  t.is(codeOf(status.UNAVAILABLE, 'etcdserver: no leader'), 'ERR_KVSTORE_NO_LEADER');
  t.is(codeOf(status.RESOURCE_EXHAUSTED, 'etcdserver: too many requests'), 'ERR_KVSTORE_BUSY');
  t.is(
    codeOf(status.RESOURCE_EXHAUSTED, 'etcdserver: mvcc: database space exceeded'),
    'ERR_KVSTORE_NO_SPACE',
  );
  t.is(codeOf(status.FAILED_PRECONDITION, 'something new'), 'ERR_KVSTORE_REFUSED');
  t.is(codeOf(status.CANCELLED, 'context canceled'), 'ERR_KVSTORE_UNREACHABLE');
  t.is(codeOf(77), 'ERR_KVSTORE_FAILED');
});

test('an error without words names its status', (t) => {
  t.is(statusError('https://a:1', status.UNIMPLEMENTED, '').message, 'https://a:1: UNIMPLEMENTED');
  t.is(statusError('https://a:1', 77, '').message, 'https://a:1: status 77');
});

test('what passes by itself is said to', (t) => {
  const error = statusError('https://a:1', status.UNAVAILABLE, 'etcdserver: unhealthy cluster');
  t.is(error.code, 'ERR_KVSTORE_QUORUM');
  t.regex(error.message, /unhealthy cluster; its members must have seen each other for 5 s: try again/);
});

test('a password goes over TLS, or stays on the machine', async (t) => {
  const asked: string[] = [];
  const login = async (text: string): Promise<string | undefined> => {
    const endpoint = parseEndpoint(text, true);
    const ask = () => {
      asked.push(text);
      return Promise.resolve({ token: 'of a user' });
    };
    using password = Secret.take(Buffer.from('correct horse'));
    const channel = { endpoint, ask } as unknown as Channel;
    return await new Login({ name: 'root', password }).token(channel, { deadline: new Deadline(1_000) });
  };
  const good = [
    'https://10.0.0.5:2379',
    'http://127.0.0.1:2379',
    'http://[::1]:2379',
    'http://localhost:2379',
  ];
  for (const text of good) t.is(await login(text), 'of a user');
  for (const text of ['http://10.0.0.5:2379', 'http://127.example.org:2379', 'http://[2001:db8::1]:2379'])
    await t.throwsAsync(login(text), { code: 'ERR_KVSTORE_REFUSED', message: /plain text; use https/ });
  t.deepEqual(asked, good);
});
