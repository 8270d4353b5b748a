import { connect } from 'node:net';

import test from 'ava';

import { ask, type Running, runningFactory, submit } from './running-factory.ts';

/** Sends bytes as they are, and ends its side where asked to. @returns all that comes until the connection ends. */
async function sent({ factory }: Running, text: string, isEnded = false): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { host, port } = factory.address;
  let got = '';
  const socket = connect({ host, port, allowHalfOpen: true }, () => {
    if (isEnded) socket.end(text, 'latin1');
    else socket.write(text, 'latin1');
  });
  socket.on('data', (data: Buffer) => (got += data.toString('latin1')));
  socket.on('end', () => socket.end()).on('error', () => {}); // what was not read resets the connection
  socket.on('close', () => resolve());
  await promise;
  return got;
}

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const post = (headers: string, body: string): string =>
  `POST /schematics HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n${body}`;
const chunked = 'Transfer-Encoding: chunked';
const get = (target: string, version = 'HTTP/1.1'): string => `GET ${target} ${version}\r\nHost: a\r\n\r\n`;

const unreadable: readonly (readonly [what: string, text: string, status: number, isEnded?: boolean])[] = [
  ['a length beside chunks', post(`Content-Length: 4\r\n${chunked}`, `0\r\n\r\n${smuggled}`), 400],
  ['chunks beside a length', post(`${chunked}\r\nContent-Length: 4`, `0\r\n\r\n${smuggled}`), 400],
  ['two lengths', post('Content-Length: 2\r\nContent-Length: 3', `{}${smuggled}`), 400],
  ['a length that is none', post('Content-Length: +2', `{}${smuggled}`), 400],
  ['an encoding that is none', post('Transfer-Encoding: xchunked', `2\r\n{}\r\n0\r\n\r\n${smuggled}`), 400],
  ['an encoding that is not the last', post(`${chunked}, identity`, `0\r\n\r\n${smuggled}`), 400],
  ['a blank before a colon', post('Transfer-Encoding : chunked', `0\r\n\r\n${smuggled}`), 400],
  ['a header that goes on in the next line', post(`X: a\r\n ${chunked}`, `0\r\n\r\n${smuggled}`), 400],
  ['a size of a chunk that is none', post(chunked, `zz\r\n{}\r\n0\r\n\r\n${smuggled}`), 400],
  ['lines of chunks that end as they must not', post(chunked, `2\n{}\n0\n\n${smuggled}`), 400],
  ['extensions of chunks without end', post(chunked, `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`), 413],
  ['a body that is cut off', post('Content-Length: 100', '{}'), 400, true],
  ['no host', 'GET /versions HTTP/1.1\r\n\r\n', 400],
  ['two hosts', 'GET /versions HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 400],
  ['a host that is none', 'GET /versions HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
  ['no version', 'GET /versions\r\n\r\n', 400],
  ['an address that is none', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['NUL in an address', 'GET /ver\0sions HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['a greeting of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['a greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['an address that does not fit', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ['more headers than fit', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['a version that is spoken otherwise', get('/versions', 'HTTP/2.0'), 505],
  ['that version of who names no host', 'GET /versions HTTP/2.0\r\n\r\n', 505],
  ['a version of before', get('/versions', 'HTTP/0.9'), 505],
  ['a version that is none yet', get('/versions', 'HTTP/3.0'), 505],
  ['a tunnel', 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n', 501],
  ['chunks of what is packed', post('Transfer-Encoding: gzip, chunked', `0\r\n\r\n${smuggled}`), 501],
  ['so in two lines', post(`Transfer-Encoding: gzip\r\n${chunked}`, `0\r\n\r\n${smuggled}`), 501],
  ['packed, and no chunks', post('Transfer-Encoding: gzip', `0\r\n\r\n${smuggled}`), 400],
  ['a whole address without a host', get('http:///versions'), 400],
  ['a whole address of a port alone', get('http://:80/versions'), 400],
  ['a whole address with a port that is none', get('http://a:99999/versions'), 400],
  ['a whole address with a name and a password', get('http://a:b@c/versions'), 400],
  ['an address of something else', get('ftp://a/versions'), 400],
  ['something else expected', post('Expect: x\r\nContent-Length: 2', `{}${smuggled}`), 417],
];

test.serial(
  'what is no request is told so with a code, and its connection ends: nothing behind it is a request',
  async (t) => {
    const { error } = console;
    const defects: unknown[] = [];
    console.error = (...words: unknown[]) => void defects.push(words);
    t.teardown(() => void (console.error = error));
    const running = await runningFactory(t);
    for (const [what, text, status, isEnded] of unreadable) {
      const got = await sent(running, text, isEnded);
      t.regex(got, new RegExp(`^HTTP/1\\.1 ${status} [^\\n]*\\r\\n`), `${what}: ${got}`);
      t.regex(got, /\r\n\r\nERR_FACTORY_REQUEST: [^\n]+\n$/, `${what}: ${got}`);
      t.regex(got, /^connection: close\r$/im, what);
      t.is(got.match(/^HTTP\/1\.1 \d/gm)?.length, 1, `${what}: one answer`);
    }
    t.deepEqual(defects, []);
    t.is((await ask(running, '/readyz')).status, 200);
  },
);

test('what comes before something that is no request is answered first, each to its own', async (t) => {
  const running = await runningFactory(t);
  const one = get('/versions');
  const got = await sent(running, `${one}${one}\0${one}`);
  t.deepEqual(
    got.match(/^HTTP\/1\.1 \d+/gm)?.map((line) => line.slice(9)),
    ['200', '200', '400'],
    got,
  );
  t.regex(got, /ERR_FACTORY_REQUEST: [^\n]*\n$/);
});

test('a request is answered of who speaks HTTP/1.0, and of who names the whole address', async (t) => {
  const running = await runningFactory(t);
  for (const text of [
    'GET /versions HTTP/1.0\r\n\r\n',
    'GET http://elsewhere/versions HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n',
  ])
    t.regex(await sent(running, text), /^HTTP\/1\.1 200 OK\r\n[^]*\["v1\.14\.0-alpha\.0","v1\.14\.0"\]\n$/);
});

test('who does not come to the end of a request is let go of, and told why', async (t) => {
  t.timeout(60_000);
  const running = await runningFactory(t, { stallMs: 400 });
  const slow = ['', 'GET /ver', 'GET /versions HTTP/1.1\r\nHost: a\r\nX: ', post('Content-Length: 10', '{')];
  for (const got of await Promise.all(slow.map((text) => sent(running, text))))
    t.regex(
      got,
      /^HTTP\/1\.1 408 [^]*\r\n\r\nERR_FACTORY_REQUEST: the request did not come to its end in time\n$/,
    );
  t.is((await ask(running, '/readyz')).status, 200);
});

test('a tunnel is refused when what was asked before has its answer', async (t) => {
  const running = await runningFactory(t);
  const got = await sent(running, `${get('/versions')}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`);
  t.deepEqual(
    got.match(/^HTTP\/1\.1 \d+/gm)?.map((line) => line.slice(9)),
    ['200', '501'],
    got,
  );
});

test('nothing begins behind a request that is refused with its connection', async (t) => {
  const running = await runningFactory(t);
  const text = 'customization: {extraKernelArgs: [smuggled]}';
  const behind = post(`Content-Length: ${text.length}`, text);
  for (const first of [
    post('Transfer-Encoding: gzip, chunked', '0\r\n\r\n'),
    'GET /versions HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    get('/versions', 'HTTP/2.0'),
  ])
    t.is((await sent(running, `${first}${behind}`)).match(/^HTTP\/1\.1 \d/gm)?.length, 1, first);
  const id = await submit(await runningFactory(t), text); // the same in every factory
  t.is((await ask(running, `/schematics/${id}`)).status, 404);
});
