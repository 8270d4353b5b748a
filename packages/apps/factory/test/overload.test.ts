import { connect } from 'node:net';

import test from 'ava';

import { ask, runningFactory, submit } from './running-factory.ts';

const v = 'v1.14.0';
const schematic = (index: number): string => `customization: {extraKernelArgs: [number=${index}]}`;

test('a hundred disks for VMware at once: those above the queue are told when to come again, and it empties when who waits leaves', async (t) => {
  t.timeout(60_000, 'disks are made for nobody');
  const running = await runningFactory(t);
  const ids = await Promise.all(Array.from({ length: 100 }, (_, index) => submit(running, schematic(index))));
  const refused: string[] = [];
  const all = Promise.withResolvers<void>();
  const sockets = ids.map((id) => {
    const socket = connect(running.factory.address.port, '127.0.0.1');
    socket.write(`HEAD /image/${id}/${v}/metal-amd64.ova HTTP/1.1\r\nhost: x\r\n\r\n`);
    socket.on('data', (head) => {
      if (!String(head).startsWith('HTTP/1.1 503')) return;
      t.regex(String(head), /^retry-after: 30\r$/m);
      refused.push(id);
      if (refused.length === 60) all.resolve();
    });
    return socket;
  });
  await all.promise;
  for (const socket of sockets) socket.destroy();
  const [id = ''] = refused;
  const path = `/image/${id}/${v}/metal-amd64.ova`;
  while ((await ask(running, path, { method: 'HEAD' })).status === 503);
  t.is((await ask(running, path, { method: 'HEAD' })).status, 200);
});

test('who asks for a hundred disks at once keeps nobody else from one', async (t) => {
  t.timeout(60_000, 'another client is refused, or behind all of them');
  const running = await runningFactory(t, { trustedProxies: ['127.0.0.1'] });
  const ids = await Promise.all(Array.from({ length: 101 }, (_, index) => submit(running, schematic(index))));
  const [others = '', ...greedy] = ids;
  const refused = Promise.withResolvers<void>();
  let answered = 0;
  for (const id of greedy) {
    const socket = connect(running.factory.address.port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    const from = 'x-forwarded-for: 192.0.2.1';
    socket.write(`HEAD /image/${id}/${v}/metal-amd64.ova HTTP/1.1\r\nhost: x\r\n${from}\r\n\r\n`);
    socket.on('data', (head) => {
      if (String(head).startsWith('HTTP/1.1 503')) refused.resolve();
      else answered += 1;
    });
  }
  await refused.promise;
  const before = answered;
  const path = `/image/${others}/${v}/metal-amd64.ova`;
  const { status } = await ask(running, path, {
    method: 'HEAD',
    headers: { 'x-forwarded-for': '192.0.2.2' },
  });
  t.is(status, 200);
  t.true(answered - before < 10, `${answered - before} were made before it`);
});

test('checksums of large disks are worked out for nobody who is gone', async (t) => {
  t.timeout(30_000, 'who comes later waits for what nobody asks for any more');
  const running = await runningFactory(t);
  const { port } = running.factory.address;
  for (let index = 0; index < 20; index += 1) {
    const id = await submit(running, schematic(index));
    const socket = connect(port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    socket.write(`GET /image/${id}/${v}/azure-amd64.vhd.sha256 HTTP/1.1\r\nhost: x\r\n\r\n`, () =>
      socket.destroy(),
    );
  }
  const path = `/image/${await submit(running, '{}')}/${v}/kernel-amd64.sha512`;
  t.is((await ask(running, path)).status, 200);
});
