import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import test, { type ExecutionContext } from 'ava';

import { Factories } from '../src/factories/factories.ts';
import { adminOf } from './admin.ts';
import { directory, fleetOf } from './scene.ts';

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** What stands for an image factory on loopback until the test ends. */
async function factory(t: ExecutionContext, handler: Handler): Promise<URL> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/factory/`);
}

const signal = new AbortController().signal;
const path = `scans/${'0'.repeat(64)}/v1.14.0/amd64/scan.json`;

test('a report is asked for by the token that is in the file now, and sent again only when it has changed', async (t) => {
  const asked: IncomingMessage[] = [];
  let etag = '"one"';
  const url = await factory(t, (incoming, outgoing) => {
    asked.push(incoming);
    if (incoming.headers['if-none-match'] === etag) outgoing.writeHead(304).end();
    else outgoing.writeHead(200, { etag }).end(`the report ${etag}`);
  });
  const tokenFile = join(await directory(t), 'token');
  await writeFile(tokenFile, 'first.token\n');
  const factories = new Factories([{ url, tokenFile }]);
  const report = async (): Promise<string> => (await factories.report(path, signal)).toString();
  t.is(await report(), 'the report "one"');
  await writeFile(tokenFile, 'second.token\n');
  t.is(await report(), 'the report "one"');
  etag = '"two"';
  t.is(await report(), 'the report "two"');
  t.deepEqual(
    asked.map(({ headers }) => [headers.authorization, headers['if-none-match']]),
    [
      ['Bearer first.token', undefined],
      ['Bearer second.token', '"one"'],
      ['Bearer second.token', '"one"'],
    ],
  );
  t.is(asked[0]!.url, `/factory/${path}`);
});

test('what a caller may not read any more is not given from what is kept', async (t) => {
  let status = 200;
  const url = await factory(t, (_, outgoing) => void outgoing.writeHead(status, { etag: '"one"' }).end('x'));
  const factories = new Factories([{ url }]);
  t.is((await factories.report(path, signal)).toString(), 'x');
  status = 403;
  await t.throwsAsync(factories.report(path, signal), { code: 'ERR_FLEET_FACTORY' });
});

test('what the first factory does not know the second one is asked for, and nothing else', async (t) => {
  let first = 404;
  let seconds = 0;
  const factories = new Factories([
    {
      url: await factory(
        t,
        (_, outgoing) => void outgoing.writeHead(first).end('ERR_FACTORY_SCHEMATIC_UNKNOWN: no such\n'),
      ),
    },
    {
      url: await factory(t, (_, outgoing) => {
        seconds += 1;
        outgoing.writeHead(seconds === 1 ? 200 : 404).end('of the second');
      }),
    },
  ]);
  t.is((await factories.report(path, signal)).toString(), 'of the second');
  await t.throwsAsync(factories.report(path, signal), {
    code: 'ERR_FLEET_NOT_FOUND',
    message: /SCHEMATIC_UNKNOWN/,
  });
  first = 503;
  await t.throwsAsync(factories.report(path, signal), { code: 'ERR_FLEET_FACTORY', message: /answers 503/ });
  t.is(seconds, 2);
});

test('a factory that leads elsewhere, sends without end, breaks off or is not there gives no report, and no token away', async (t) => {
  let others = 0;
  const other = await factory(t, (_, outgoing) => {
    others += 1;
    outgoing.end('x');
  });
  const tokenFile = join(await directory(t), 'token');
  await writeFile(tokenFile, 'the.token');
  const failing: readonly (readonly [Handler, RegExp])[] = [
    [(_, outgoing) => void outgoing.writeHead(302, { location: other.href }).end(), /answers 302/],
    [(_, outgoing) => void outgoing.writeHead(401).end('the.token'), /does not take the token/],
    [(_, outgoing) => void outgoing.writeHead(500).end('\u001b[2Jx\u202e'), /answers 500: \[2Jx/],
    [(_, outgoing) => void outgoing.write('x', () => outgoing.destroy()), /./],
    [
      (_, outgoing) => {
        const more = (): void => void (!outgoing.destroyed && outgoing.write('x'.repeat(1 << 20), more));
        more();
      },
      /more than/,
    ],
  ];
  for (const [handler, message] of failing) {
    const factories = new Factories([{ url: await factory(t, handler), tokenFile }]);
    const error = await t.throwsAsync(factories.report(path, signal), { code: 'ERR_FLEET_FACTORY', message });
    // oxlint-disable-next-line no-control-regex -- these are the ones
    t.notRegex(error?.message ?? '', /the\.token|[\u0000-\u001f]/);
  }
  t.is(others, 0);
  // The last to listen: a port that is free again is anybody's.
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port: closed } = gone.address() as AddressInfo;
  gone.close();
  await once(gone, 'close');
  await t.throwsAsync(new Factories([{ url: new URL(`http://127.0.0.1:${closed}`) }]).report(path, signal), {
    code: 'ERR_FLEET_FACTORY',
    message: /ECONNREFUSED/,
  });
  for (const text of ['two words', '', 'a\r\nb: c']) {
    await writeFile(tokenFile, text);
    await t.throwsAsync(new Factories([{ url: other, tokenFile }]).report(path, signal), {
      message: /must have a token/,
    });
  }
  await rm(tokenFile);
  await t.throwsAsync(new Factories([{ url: other, tokenFile }]).report(path, signal), { message: /ENOENT/ });
  t.is(others, 0);
});

test('only what is an image and a report becomes part of an address', async (t) => {
  const paths: (string | undefined)[] = [];
  const url = await factory(t, (incoming, outgoing) => {
    paths.push(incoming.url);
    outgoing.end('x'.repeat(600_000));
  });
  const { admin } = await adminOf(
    t,
    async ({ with: given }) => await fleetOf(t, { with: { ...given, factories: [{ url }] } }),
  );
  const good = {
    schematic: 'a'.repeat(64),
    osVersion: 'v1.14.0-alpha.0',
    architecture: 'amd64',
    report: 'upgrades.json',
  };
  const read = async (changes: Partial<typeof good>): Promise<number> => {
    let size = 0;
    for await (const { data } of admin.securityReport({ ...good, ...changes })) size += data.length;
    return size;
  };
  t.is(await read({}), 600_000);
  t.is(await read({ report: 'vex.json' }), 600_000);
  t.is(await read({ report: 'spdx.json' }), 600_000);
  t.deepEqual(paths, [
    `/factory/scans/${'a'.repeat(64)}/v1.14.0-alpha.0/amd64/upgrades.json`,
    '/factory/vex/v1.14.0-alpha.0/vex.json',
    `/factory/spdx/${'a'.repeat(64)}/v1.14.0-alpha.0/amd64`,
  ]);
  for (const changes of [
    { schematic: '' },
    { schematic: 'A'.repeat(64) },
    { osVersion: 'v1.14.0/../..' },
    { osVersion: '1.14.0' },
    { osVersion: 'v1.14.0-..%2f' },
    { architecture: '../x' },
    { report: 'scan.table' },
    { report: 'constructor' },
    { report: '../tokens' },
  ])
    await t.throwsAsync(read(changes), { message: /must be/ }, JSON.stringify(changes));
  t.is(paths.length, 3);
});
