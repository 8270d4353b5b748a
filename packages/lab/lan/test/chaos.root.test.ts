import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

import { command, program, root, testWith } from '@nodecore/testkit';

import { type Chaos, Lan, type Namespace } from '../src/index.ts';
import { type Net, twoGuests } from './guests.ts';

const all = testWith(root, program('dnsmasq'), program('busybox'), program('nft'), program('tc'));

/** Round trips in milliseconds of pings from the first machine to an address, and how many came back. */
async function ping(
  { guests }: Net,
  { to = '10.5.0.3', count = 5, wait = 2 } = {},
): Promise<{ readonly received: number; readonly smallest: number; readonly largest: number }> {
  const words = ['busybox', 'ping', '-c', String(count), '-i', '0.05', '-W', String(wait), to];
  const { stdout } = await command(guests[0]!.inside(words));
  const received = Number(/(\d+) packets received/.exec(stdout)?.[1]);
  const [, smallest, largest] = /= ([\d.]+)\/[\d.]+\/([\d.]+) ms/.exec(stdout) ?? [];
  return { received, smallest: Number(smallest), largest: Number(largest) };
}

all(
  'latency of one machine is between it and the other, in each direction, changes while it runs, and goes',
  async (t) => {
    const net = await twoGuests(t);
    const { lan } = net;
    t.true((await ping(net)).largest < 40);
    await lan.setChaos('host-2', { to: { latencyMs: 60 } });
    const there = await ping(net);
    t.is(there.received, 5);
    t.true(there.smallest >= 60, `${there.smallest} ms`);
    await lan.setChaos('host-2', { to: { latencyMs: 60 }, from: { latencyMs: 100 } });
    const both = await ping(net);
    t.is(both.received, 5);
    t.true(both.smallest >= 160, `${both.smallest} ms`);
    const other = await ping(net, { to: '10.5.0.1' });
    t.true(other.largest < 60, 'the first machine and the gateway are as they were');
    await lan.setChaos('host-2', {});
    const after = await ping(net);
    t.is(after.received, 5);
    t.true(after.smallest < 60);
    t.is((await lan.namespace.processes()).length, 1, 'the process between is gone');
    t.notRegex(await lan.namespace.run(['nft', 'list', 'tables']), /chaos/);
  },
);

all('frames are lost in the direction that was asked for, and none by the way back', async (t) => {
  const net = await twoGuests(t);
  const most: Chaos = { to: { loss: 0.999_999 } };
  await net.lan.setChaos('host-2', most);
  t.is((await ping(net, { wait: 1 })).received, 0);
  t.is((await net.lan.namespace.processes()).length, 1, 'the kernel does it alone');
  const before = await sent(net.guests[1]!);
  await net.lan.setChaos('host-2', { from: { loss: 0.999_999 } });
  t.is((await ping(net, { wait: 1 })).received, 0);
  const after = await sent(net.guests[1]!);
  t.true(after >= before + 5, 'it heard them, and answered');
  // With a latency another way is taken, through the process.
  await net.lan.setChaos('host-2', { to: { loss: 0.999_999, latencyMs: 1 } });
  t.is((await ping(net, { wait: 1 })).received, 0);
  await net.lan.setChaos('host-2', { to: { corrupt: 0.999_999 } });
  t.is((await ping(net, { wait: 1 })).received, 0, 'a checksum is wrong');
});

/** Frames that a machine has sent. */
async function sent(guest: Namespace): Promise<number> {
  const [link] = JSON.parse(await guest.run(['ip', '-j', '-s', 'link', 'show', 'eth0'])) as readonly [
    { readonly stats64: { readonly tx: { readonly packets: number } } },
  ];
  return link.stats64.tx.packets;
}

/** Says that it listens, and then how many bytes it got in how many milliseconds. */
const receiver = `
let got = 0;
let began;
const end = () => process.stdout.write(got + ' ' + (performance.now() - began), () => process.exit());
const server = require('net').createServer((socket) => {
  socket.on('end', end).on('data', (data) => {
    began ??= performance.now();
    got += data.length;
  });
}).listen(5000, () => process.stdout.write('listens'));`;

const sender = (bytes: number): string =>
  `require('net').connect(5000, '10.5.0.3').end(Buffer.alloc(${bytes}));`;

all('no more goes through than the bandwidth', async (t) => {
  const net = await twoGuests(t);
  const [near, far] = net.guests as [Namespace, Namespace];
  const bytes = 400_000;
  const seconds = async (): Promise<number> => {
    const [file, ...words] = far.inside([process.execPath, '-e', receiver]);
    const server = spawn(file, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    t.teardown(() => server.kill('SIGKILL'));
    await once(server.stdout, 'data');
    const received = once(server.stdout, 'data');
    await near.run([process.execPath, '-e', sender(bytes)]);
    const [got, ms] = String((await received)[0]).split(' ');
    t.is(Number(got), bytes);
    return Number(ms) / 1000;
  };
  t.true((await seconds()) < 1);
  await net.lan.setChaos('host-2', { to: { bandwidthKbit: 2000 } });
  // Without the first 50 kB, which the bucket lets through at once.
  t.true((await seconds()) >= 1.3);
  await net.lan.setChaos('host-2', { from: { bandwidthKbit: 2000 } });
  t.true((await seconds()) < 1, 'the other direction is as it was');
});

all('chaos goes on without its owner, and ends with the next one', async (t) => {
  const net = await twoGuests(t);
  await net.lan.setChaos('host-2', { to: { latencyMs: 60, loss: 0.000_001 } });
  // Whoever ends the process cuts the machine off until the next change.
  for (const pid of await net.lan.namespace.processes()) {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    if (words.includes('chaos-main')) process.kill(pid, 'SIGKILL');
  }
  t.is((await ping(net, { wait: 1 })).received, 0);
  await net.lan.setChaos('host-2', { to: { latencyMs: 60, loss: 0.000_001 } });
  await net.lan.close();
  const alone = await ping(net);
  t.is(alone.received, 5);
  t.true(alone.smallest >= 60);
  const next = await Lan.open(net.spec, net.directory);
  t.is((await next.namespace.processes()).length, 1);
  const after = await ping(net);
  t.is(after.received, 5);
  t.true(after.smallest < 60);
  await t.throwsAsync(next.setChaos('host-2', { to: { jitterMs: 5 }, from: { loss: 1 } }), {
    code: 'ERR_LAN_SPEC',
    message: /to host-2: jitter 5 ms.*from host-2: loss 1/,
  });
  await t.throwsAsync(next.setChaos('host-3', {}), { code: 'ERR_LAN_SPEC' });
  await next.remove();
});
