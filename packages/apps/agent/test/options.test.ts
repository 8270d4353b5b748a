import test from 'ava';

import {
  parseAddress,
  parseKeyDerivation,
  parseLoopback,
  parseOptions,
  parseProofLimit,
} from '../src/options.ts';

test('without arguments the agent owns its machine and leaves nothing mounted', (t) => {
  t.like(parseOptions([]), {
    listen: { host: '::', port: 50_000 },
    logLevel: 'info',
    unmountOnExit: true,
    runDirectory: '/run/nodecore',
  });
  t.is(parseOptions([]).state, undefined);
});

test('on a host that is not ours mounts stay, unless the user says otherwise', (t) => {
  t.false(parseOptions(['--state', '/tmp/x']).unmountOnExit);
  t.true(parseOptions(['--state', '/tmp/x', '--unmount-on-exit']).unmountOnExit);
});

test('addresses have a port, and IPv6 its brackets', (t) => {
  t.deepEqual(parseAddress('127.0.0.1:0'), { host: '127.0.0.1', port: 0 });
  t.deepEqual(parseAddress('[::1]:50000'), { host: '::1', port: 50_000 });
  t.deepEqual(parseAddress(':50001'), { host: '::', port: 50_001 });
  for (const wrong of ['', 'host', '::1:50000', 'host:70000', 'host:']) t.throws(() => parseAddress(wrong));
});

test('costs of new keyslots are measured unless they are given, and bounded as libcryptsetup bounds them', (t) => {
  t.is(parseOptions([]).keyDerivation, undefined);
  t.deepEqual(parseKeyDerivation('4,65536'), { type: 'argon2id', iterations: 4, memoryKib: 65_536 });
  for (const wrong of ['', '4', '3,65536', '4,31', '4,4194305', '4,x'])
    t.throws(() => parseKeyDerivation(wrong));
});

test('a proof of emptiness has the time that it has everywhere, unless more is given', (t) => {
  t.is(parseOptions([]).proofLimit, undefined);
  t.is(parseOptions(['--proof-limit', '60']).proofLimit, 60);
  for (const wrong of ['', '0', '601', '1.5', '-1', 'x']) t.throws(() => parseProofLimit(wrong));
});

test('metrics are for this machine only', (t) => {
  t.is(parseOptions([]).metrics, undefined);
  t.deepEqual(parseOptions(['--metrics', '127.0.0.2:9100']).metrics, { host: '127.0.0.2', port: 9100 });
  t.deepEqual(parseLoopback('[::1]:0'), { host: '::1', port: 0 });
  for (const wrong of [':9100', '0.0.0.0:9100', '10.0.0.5:9100', '127.example:9100', '[::]:9100'])
    t.throws(() => parseLoopback(wrong), { message: /must be an address of loopback/ });
});
