import { Metadata } from '@grpc/grpc-js';
import test from 'ava';

import { requestIdHeader, requestIdOf, takeRequestId } from '../src/request-id.ts';

function said(...values: readonly string[]): Metadata {
  const metadata = new Metadata();
  for (const value of values) metadata.add('x-request-id', value);
  return metadata;
}

test('a call has the id that its caller gives it, and it is handed on', (t) => {
  const metadata = said('deploy:42_a.b-c');
  t.is(takeRequestId(metadata), 'deploy:42_a.b-c');
  t.deepEqual(requestIdHeader(requestIdOf(metadata)), { 'x-request-id': 'deploy:42_a.b-c' });
});

test('an id that is none, or that would not stand in a line as it is, is replaced', (t) => {
  const made = /^[0-9a-f]{16}$/u;
  for (const values of [[], [''], ['a b'], ['a"b'], ['x'.repeat(65)], ['{}'], ['a', 'b']]) {
    const metadata = said(...values);
    const id = takeRequestId(metadata);
    t.regex(id, made, String(values));
    t.is(requestIdOf(metadata), id);
  }
  t.not(takeRequestId(said()), takeRequestId(said()));
});

test('what the agent asks itself has none', (t) => {
  t.is(requestIdOf(said()), undefined);
  t.deepEqual(requestIdHeader(requestIdOf(said())), {});
});
