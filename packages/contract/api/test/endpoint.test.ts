import test from 'ava';
import { formatEndpoint, parseEndpoint, parseServerEndpoint } from '../src/client/endpoint.ts';

const readings: readonly [string, string][] = [
  ['node', 'node:50000'],
  ['10.0.0.5', '10.0.0.5:50000'],
  ['10.0.0.5:5001', '10.0.0.5:5001'],
  ['::1', '[::1]:50000'],
  ['[::1]', '[::1]:50000'],
  ['[fd00::5]:6000', '[fd00::5]:6000'],
  ['https://proxy.example', 'proxy.example:443'],
  ['https://proxy.example:8443/', 'proxy.example:8443'],
  ['tcp://node:1', 'node:1'],
];

for (const [text, meaning] of readings)
  test(`${text} means ${meaning}`, (t) => {
    t.is(formatEndpoint(parseEndpoint(text)), meaning);
  });

test('what is no endpoint is refused by name', (t) => {
  for (const text of ['', ':50000', 'node:', 'node:0', 'node:65536', 'a b', '[node]:1', 'node:1:2'])
    t.throws(() => parseEndpoint(text), { instanceOf: TypeError }, text);
});

test('a server may listen at a socket of this computer, and no node does', (t) => {
  const long = `/${'x'.repeat(106)}`;
  for (const path of ['/run/example.sock', '/a path', long]) {
    t.deepEqual(parseServerEndpoint(`unix:${path}`), { host: 'localhost', port: 0, path });
    t.is(formatEndpoint(parseServerEndpoint(`unix:${path}`)), `unix:${path}`);
    t.throws(() => parseEndpoint(`unix:${path}`), { instanceOf: TypeError });
  }
  for (const path of ['', 'run/example.sock', '//x\0y', '/a?b', '/a%2fb', `${long}x`])
    t.throws(() => parseServerEndpoint(`unix:${path}`), { instanceOf: TypeError }, path);
  t.is(parseServerEndpoint('10.0.0.5:50100').port, 50_100);
});
