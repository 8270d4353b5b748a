import { execFileSync } from 'node:child_process';
import { copyFile, rename } from 'node:fs/promises';
import { request as open } from 'node:http';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { defaultAuthentication } from '../src/index.ts';
import { routeMap } from '../src/http/access.ts';
import { bearer, guardedFactory, request, submitBy, tokenOf } from './known-callers.ts';
import { ask, runningFactory, submit } from './running-factory.ts';

const v = 'v1.14.0';

test('a range of any odd kind is the part that was asked for, the whole, or none', async (t) => {
  const running = await runningFactory(t);
  const id = await submit(running, '{}');
  for (const name of ['initramfs-amd64.xz', 'metal-amd64.raw.zst', 'metal-amd64.qcow2']) {
    const path = `/image/${id}/${v}/${name}`;
    const length = Number((await ask(running, path, { method: 'HEAD' })).headers['content-length']);
    const partly: Readonly<Record<string, number>> = {
      'bytes=0-0': 1,
      [`bytes=${length - 1}-`]: 1,
      [`bytes=0-${'9'.repeat(30)}`]: length,
      [`bytes=-${'9'.repeat(30)}`]: length,
      [`bytes=${'0'.repeat(20)}5-${'0'.repeat(20)}9`]: 5,
      'BYTES=5-9': 5, // the names of units are in any case
    };
    const whole = [
      'bytes=9-5',
      'bytes=9007199254740993-9007199254740992', // one number, where numbers are doubles
      'bytes= 5-9',
      'bytes=',
      'bytes=a-b',
      'bytes=1.5-9',
      'bytes=--5',
      'lines=0-5',
      'bytes=0-1,5-9',
      '\u00ff',
    ];
    const none = [
      'bytes=-0',
      `bytes=${length}-`,
      `bytes=${length}-${length + 9}`,
      `bytes=${'9'.repeat(30)}-`,
      `bytes=${'9'.repeat(400)}-${'9'.repeat(401)}`,
    ];
    for (const range of [...Object.keys(partly), ...whole, ...none]) {
      const { status, headers } = await ask(running, path, { method: 'HEAD', headers: { range } });
      const sent = Number(headers['content-length']);
      if (!none.includes(range)) {
        const expected = whole.includes(range) ? [200, length] : [206, partly[range]];
        t.deepEqual([status, sent], expected, `${name} ${range}`);
        continue;
      }
      const { body } = await ask(running, path, { headers: { range } });
      t.is(body.toString(), `ERR_FACTORY_RANGE: range: begins behind the last of ${length} bytes\n`);
      t.like([status, headers['content-range'], sent], [416, `bytes */${length}`, body.length], range);
    }
  }
});

test('what is sent to a token goes on to its end when that is revoked, and nothing more is sent to it', async (t) => {
  const running = await guardedFactory(t);
  const asked = { subject: 'ann', name: 'ci', scopes: ['image:read', 'schematic:create', 'token:revoke'] };
  const { token, id: tokenId } = (await request(running, running.bootstrap, asked)).json;
  const id = await submitBy(running, token);
  const path = `/image/${id}/${v}/initramfs-amd64.xz`;
  const { host, port } = running.factory.address;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const started = Promise.withResolvers<() => void>();
  const download = open({ host, port, path, headers: bearer(token), agent: false }, (response) => {
    let size = 0;
    response.on('data', (chunk: Buffer) => (size += chunk.length));
    response.on('end', () => resolve(size)).on('error', reject);
    response.pause();
    started.resolve(() => response.resume());
  });
  download.on('error', reject).end();
  const goOn = await started.promise;
  const revoked = await ask(running, `/tokens/${tokenId}/revoke`, { method: 'POST', headers: bearer(token) });
  t.is(revoked.status, 204);
  const other = await tokenOf(running, 'ann', ['image:read']);
  const { headers } = await ask(running, path, { method: 'HEAD', headers: bearer(other) });
  goOn();
  t.is(await promise, Number(headers['content-length']));
  const range = { ...bearer(token), range: 'bytes=100-' };
  t.is((await ask(running, path, { headers: range })).status, 401);
});

test('a token of a key that is taken away is none, also in the address of a download', async (t) => {
  const directory = await temporaryDirectory(t);
  const [first, second] = ['first.key', 'second.key'].map((name) => join(directory, name)) as [
    string,
    string,
  ];
  for (const key of [first, second])
    execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key], { stdio: 'ignore' });
  const running = await guardedFactory(t, {
    authentication: { ...defaultAuthentication, keyPaths: [first] },
  });
  const token = await tokenOf(running, 'ann', ['image:read', 'schematic:create']);
  const path = `/image/${await submitBy(running, token)}/${v}/kernel-amd64`;
  t.is((await ask(running, `${path}?token=${token}`)).status, 200);
  await copyFile(second, `${first}.new`);
  await rename(`${first}.new`, first);
  const statuses = async (): Promise<readonly number[]> => [
    (await ask(running, `${path}?token=${token}`)).status,
    (await ask(running, path, { headers: bearer(token) })).status,
  ];
  let found = await statuses();
  while (found.includes(200)) found = await statuses(); // until the factory has noticed
  t.deepEqual(found, [401, 401]);
});

/** The same each time. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

const odd = [
  '..',
  '%2e%2e',
  '%2f',
  '%00',
  '%0d%0aX: 1',
  '%ff',
  '%',
  '%zz',
  '.',
  '',
  ' ',
  '~',
  '*',
  '?',
  '__proto__',
  'constructor',

  'v1.14.0',
  'v1.14.0-alpha.0',
  'v9.9.9',
  'latest',
  'amd64',
  'arm64',
  'metal-amd64.iso',
  'metal-installer',
  'manifests',

  '0'.repeat(64),
  'f'.repeat(65),
  'sha256:abc',
  `sha256:${'0'.repeat(64)}`,
  'a'.repeat(3_000),
  '\u00e4',
  'report.json',
  'vex.json',
];
const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];
const bodies = [
  '',
  '{}',
  '{',
  '[]',
  'null',
  '"x"',
  '&a [*a]',
  `{"scopes": [${'"x",'.repeat(2_000)}"x"]}`,
  '\u0000',
  'a=b&c=%ff',
];
const fields: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['accept', ['application/json', '*/*', 'text/html;q=x', ',,,']],
  ['authorization', ['Bearer x', 'Basic !!!', 'Basic Og==', 'Bearer eyJ.eyJ.x', 'Negotiate x']],
  ['range', ['bytes=1-', 'x', 'bytes=9-1']],
  ['if-none-match', ['*', 'W/"x"', '"', ',']],
  ['if-match', ['*', 'W/"x"', '"', ',', '']],
  ['content-type', ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=', 'x']],
  ['cookie', ['a', '=', 'nodecore=', 'login=x; login=y']],
  ['sec-fetch-site', ['cross-site', 'same-origin', 'x']],
  ['accept-language', ['de', 'x-y;q=2', ',;=']],
];

for (const isGuarded of [false, true])
  test(`no odd request is a defect of the factory, ${isGuarded ? 'which asks for tokens' : 'which asks nobody'}`, async (t) => {
    const running = isGuarded ? await guardedFactory(t) : await runningFactory(t);
    const id = isGuarded ? '0'.repeat(64) : await submit(running, '{}');
    const random = numbers(21);
    const next = (): number => random.next().value ?? 0;
    const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
    const patterns = [
      ...Object.keys(routeMap).map((name) => name.split(' ')[1] ?? ''),
      '/v2/:image/:id/manifests/:tag',
      '/v2/:image/:id/blobs/:tag',
      '/v2/os/:a/:b',
      '/v2/:image/:id/referrers/:tag',
      '/v2/:a',
    ];
    for (let count = 0; count < 600; count += 1) {
      const pattern = pick(patterns).replace('*', '/:a/:b');
      const path = pattern.replaceAll(/:\w+/g, () => (next() < 0.3 ? id : pick(odd)));
      const query =
        next() < 0.3
          ? `?${pick(['token', 'filename', 'schematic-id', 'extensions', 'lang', 'n'])}=${pick(odd)}`
          : '';
      const headers = Object.fromEntries(
        fields.filter(() => next() < 0.2).map(([name, values]) => [name, pick(values)]),
      );
      const method = pick(methods);
      const url = encodeURI(`${path}${query}`).replaceAll('%25', '%');
      const { status } = await ask(running, url, {
        method,
        headers,
        ...(method === 'POST' && { body: pick(bodies) }),
      });
      if (status >= 500) t.fail(`${status}: ${method} ${url} ${JSON.stringify(headers)}`);
    }
    t.is((await ask(running, '/readyz')).status, 200);
  });

const listed = (count: number, name: string): string =>
  `customization: {systemExtensions: {officialExtensions: [${`${name},`.repeat(count)}]}}`;

test('ten thousand extensions are refused, and as many more than there may be are by their number', async (t) => {
  const running = await runningFactory(t);
  for (const [count, name] of [
    [65, 'os/btrfs'],
    [10_000, 'a'],
    [10_000, 'os/btrfs'],
  ] as const) {
    const { status, body } = await ask(running, '/schematics', {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: listed(count, name),
    });
    t.is(status, 400, `${count} ${name}`);
    t.regex(JSON.parse(body.toString()).code, /^ERR_(?:SCHEMATIC_LIMIT|SCHEMATIC_VALUE|FACTORY_REQUEST)$/);
  }
});
