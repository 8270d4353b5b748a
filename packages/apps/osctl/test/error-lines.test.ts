import { ApiError, type ConnectionFault, failure } from '@nodecore/api';
import test from 'ava';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { errorLines } from '../src/error-lines.ts';
import { errorObjects } from '../src/error-objects.ts';
import { AllFailedError, PartialError } from '../src/errors.ts';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

function failed(endpoint: string, words: string, fault?: ConnectionFault): ApiError {
  return new ApiError('ERR_API_UNREACHABLE', `${endpoint}: ${words}`, { endpoint, fault });
}

test('the address stands in front of a line once, with and without a port', (t) => {
  const error = new AllFailedError([
    { node: '10.0.0.1', error: failed('10.0.0.1:50000', 'gone') },
    { node: '10.0.0.2:1', error: failed('10.0.0.2:1', 'gone') },
    { node: 'c', error: new Error('c: there: no such disk') },
    { node: 'd', error: new ApiError('ERR_API_NOT_FOUND', 'd: x', { endpoint: 'proxy:443', node: 'd' }) },
  ]);
  const what = 'gone; check that the node is up and that the endpoint is right';
  t.deepEqual(errorLines(error), [
    `10.0.0.1: ${what}`,
    `10.0.0.2:1: ${what}`,
    'c: there: no such disk',
    'd: x',
  ]);
});

test('what is wrong with a connection has its own advice', (t) => {
  const faults: readonly ConnectionFault[] = [
    'refused',
    'no-name',
    'lost',
    'expired',
    'client-expired',
    'no-tls',
  ];
  const lines = faults.map((fault) => errorLines(failed('a:1', 'x', fault))[0]);
  t.is(new Set(lines).size, faults.length);
  for (const line of lines) t.regex(line ?? '', /^a:1: x; \w+/u);
});

test('a node that is named with a port and can not be reached: it is said that nothing passes the call on', (t) => {
  const way = 'a node that is named with a port is dialled itself, and no endpoint passes the call on';
  const failure = { node: 'b', error: failed('b:50000', 'nothing there answers', 'silent') };
  t.true(errorLines(new AllFailedError([{ ...failure, direct: true }]))[0]?.endsWith(`; ${way}`));
  t.true(errorLines(new PartialError([{ ...failure, direct: true }], 2))[0]?.endsWith(`; ${way}`));
  t.false(errorLines(new AllFailedError([failure]))[0]?.includes(way));
  const there = { node: 'b', error: failed('b:50000', 'reset', 'lost'), direct: true };
  t.false(errorLines(new AllFailedError([there]))[0]?.includes(way));
});

test('with one node, too, for all commands', async (t) => {
  const closing = createServer().listen(0, '127.0.0.1');
  await once(closing, 'listening');
  const nobody = `127.0.0.1:${(closing.address() as AddressInfo).port}`;
  closing.close();
  const env = await clientConfig(t, { endpoints: ['10.255.255.1'], nodes: [nobody] });
  for (const args of [['disks'], ['wipe', 'disk', 'sda']]) {
    const { code, error } = await osctl(args, { env });
    t.is(code, 5);
    t.regex(
      error,
      /^osctl: 127\.0\.0\.1:\d+: connection refused: .*; a node that is named with a port is dialled itself, .*\n$/u,
    );
  }
});

test('what a node says moves no cursor and rings no bell', (t) => {
  const evil = 'gone\u001B[2J\u001B]0;title\u0007\u009B1A\nnext';
  t.notRegex(errorLines(failed('a:1', evil)).join(''), /\p{Cc}/u);
  const problems = [{ line: 1, column: 1, document: evil, path: evil, message: evil, code: evil }];
  const refused = Object.assign(failed('a:1', evil), { problems });
  for (const line of errorLines(new AllFailedError([{ node: evil, error: refused }])))
    t.notRegex(line, /\p{Cc}/u);
});

function parsed(text: string): readonly unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

test('programs that ask for it get an object for each node that failed, and those alone', async (t) => {
  const none = failure(status.FAILED_PRECONDITION, 'no runtime\u009B1A', { code: 'ERR_CONTAINER_RUNTIME' });
  const nodes = await Promise.all(
    [none, failure(status.PERMISSION_DENIED, 'not you')].map((error) =>
      startFakeNode(t, { containers: { containers: (_call, answer) => answer(error) } }),
    ),
  );
  const endpoints = nodes.map(({ endpoint }) => endpoint);
  const env = { ...(await clientConfig(t, { endpoints, nodes: endpoints })), OSCTL_ERRORS: 'json' };
  const { code, error } = await osctl(['containers'], { env });
  t.is(code, 1, 'they share no code');
  const [first, second, ...more] = parsed(error);
  t.is(more.length, 0);
  t.like(first, {
    node: endpoints[0],
    code: 'ERR_API_CONFLICT',
    reason: 'ERR_CONTAINER_RUNTIME',
    exitCode: 9,
  });
  t.like(second, { node: endpoints[1], code: 'ERR_API_DENIED', exitCode: 4 });
  t.notRegex(JSON.stringify(first), /\u009B/u);
  const one = await osctl(['containers', '-n', endpoints[0]!], { env });
  t.is(one.code, 9);
  t.like(parsed(one.error)[0], { node: endpoints[0], exitCode: 9 });
  t.like(parsed((await osctl(['get'], { env })).error)[0], { code: 'ERR_USAGE', exitCode: 2 });
  t.true((await osctl(['get'], { env: { ...env, OSCTL_ERRORS: '' } })).error.startsWith('osctl: '));
});

test('the problems of a configuration are in the object of its error', (t) => {
  const problem = { code: 'c', message: 'm\u001B[2J', document: 'd', path: 'p', line: 1, column: 2 };
  const fields = { endpoint: 'a:1', problems: [problem], requestId: 'r' };
  t.deepEqual(errorObjects(new ApiError('ERR_API_INVALID', 'a:1: wrong', fields)), [
    {
      code: 'ERR_API_INVALID',
      exitCode: 1,
      message: 'a:1: wrong',
      problems: [{ ...problem, message: 'm?[2J' }],
      node: 'a:1',
      requestId: 'r',
    },
  ]);
  t.like(errorObjects(new TypeError('bug'))[0], { code: 'ERR_FAILED', exitCode: 1 });
});
