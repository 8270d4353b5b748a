import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Secret } from '@nodecore/sys';
import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { ManagementController } from '../src/ipmi/controller.ts';
import { Clients, serveIpmi } from '../src/ipmi/server.ts';
import { ipmitool } from './ipmitool.ts';

const test = testWith(program('ipmitool'));

const text = 'sixteen-or-twenty';
const guid = Buffer.from(Array.from({ length: 16 }, (_, index) => index));

/** A controller, and ipmitool as its client. */
async function served(t: ExecutionContext, hasNetworkImage = true) {
  const password = Secret.take(Buffer.from(text));
  t.teardown(() => password[Symbol.dispose]());
  const done: (readonly unknown[])[] = [];
  let isOn = true;
  let now = 0;
  const server = await serveIpmi(
    { address: '127.0.0.1', port: 0 },
    { user: 'admin', password, guid },
    {
      isOn: () => isOn,
      hasNetworkImage,
      reset: (type, fromNetwork) => {
        done.push([type, fromNetwork]);
        isOn = type !== 'ForceOff';
      },
    },
    () => now,
  );
  t.teardown(() => server[Symbol.asyncDispose]());
  const file = join(await temporaryDirectory(t), 'password');
  await writeFile(file, text);
  const place = ['-H', '127.0.0.1', '-p', `${server.port}`, '-N', '1'];
  const admin = [...place, '-U', 'admin', '-f', file];
  return {
    done,
    port: server.port,
    place,
    later: (ms: number) => void (now += ms),
    ask: async (...words: readonly string[]) => await ipmitool([...admin, ...words]),
  };
}

test('ipmitool switches power, and has a machine start from the network once', async (t) => {
  const { ask, done } = await served(t);
  t.regex((await ask('mc', 'info')).said, /^IPMI Version +: 2\.0$/m);
  t.is((await ask('chassis', 'power', 'status')).said, 'Chassis Power is on');
  t.is((await ask('chassis', 'power', 'off')).code, 0);
  t.is((await ask('chassis', 'power', 'status')).said, 'Chassis Power is off');
  const refused = await ask('chassis', 'power', 'cycle');
  t.regex(refused.said, /Command not supported in present state/);
  t.is((await ask('chassis', 'bootdev', 'pxe')).said, 'Set Boot Device to pxe');
  t.regex((await ask('chassis', 'bootparam', 'get', '5')).said, /Boot Device Selector : Force PXE/);
  t.is((await ask('chassis', 'power', 'on')).code, 0);
  t.regex((await ask('chassis', 'bootparam', 'get', '5')).said, /Boot Device Selector : No override/);
  for (const word of ['soft', 'reset']) t.is((await ask('chassis', 'power', word)).code, 0);
  t.deepEqual(done, [
    ['ForceOff', false],
    ['On', true],
    ['GracefulShutdown', false],
    ['ForceRestart', false],
  ]);
});

test('both suites of ciphers serve, and none that proves or hides less', async (t) => {
  const { ask } = await served(t);
  for (const suite of ['17', '3'])
    t.is((await ask('-C', suite, 'chassis', 'power', 'status')).code, 0, suite);
  for (const suite of ['0', '1', '2', '15', '16'])
    t.not((await ask('-C', suite, 'chassis', 'power', 'status')).code, 0, suite);
});

test('who has no password switches nothing, and nobody is told what is impossible', async (t) => {
  const { ask, done, place } = await served(t, false);
  for (const who of [
    ['-U', 'admin', '-P', 'another'],
    ['-U', 'admin', '-P', ''],
    ['-U', 'root', '-P', text],
    ['-U', '', '-P', text],
  ])
    t.not((await ipmitool([...place, ...who, 'chassis', 'power', 'off'])).code, 0, who.join(' '));
  // It ends with 0 all the same where an option is refused.
  t.regex((await ask('chassis', 'bootdev', 'pxe')).said, /not supported in present state/);
  for (const words of [
    ['bootdev', 'bios'],
    ['bootdev', 'pxe', 'options=persistent'],
    ['power', 'diag'],
  ])
    t.regex((await ask('chassis', ...words)).said, /failed: Invalid data field/, words.join(' '));
  t.deepEqual(done, []);
});

type Passes = {
  readonly asked?: (count: number) => boolean;
  readonly answered?: (count: number, bytes: Buffer) => boolean;
  /** What somebody else says before this. */
  readonly before?: (count: number) => readonly Buffer[];
};

/** What lies between a client and a controller: it hears all, and may keep something. */
async function between(t: ExecutionContext, port: number, passes: Passes = {}) {
  const [front, back] = [createSocket('udp4'), createSocket('udp4')];
  const asked: Buffer[] = [];
  const answered: Buffer[] = [];
  let client = 0;
  let tag = 0;
  front.on('message', (bytes, from) => {
    client = from.port;
    asked.push(bytes);
    for (const other of passes.before?.(asked.length) ?? []) back.send(other, port, '127.0.0.1');
    if (passes.asked?.(asked.length) ?? true) back.send(bytes, port, '127.0.0.1');
  });
  back.on('message', (bytes) => {
    answered.push(bytes);
    if (client !== 0 && (passes.answered?.(answered.length, bytes) ?? true))
      front.send(bytes, client, '127.0.0.1');
  });
  for (const socket of [front, back]) {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    t.teardown(() => void socket.close());
  }
  /** Sends bytes of somebody's own, then a question that is always answered: what came before that. */
  const sends = async (...all: readonly Buffer[]): Promise<number> => {
    client = 0;
    const before = answered.length;
    tag = (tag + 1) % 256;
    const ping = Buffer.from([6, 0, 0xff, 6, 0, 0, 0x11, 0xbe, 0x80, tag, 0, 0]);
    for (const bytes of [...all, ping]) back.send(bytes, port, '127.0.0.1');
    while (answered.at(-1)?.[3] !== 6 || answered.at(-1)?.[9] !== tag) await once(back, 'message');
    return answered.length - before - 1;
  };
  return { port: front.address().port, asked, answered, sends };
}

test('an answer that is lost is given again, and what was asked for is done once', async (t) => {
  const { ask, done, port } = await served(t);
  const usual = await between(t, port);
  await ask('-p', `${usual.port}`, 'chassis', 'power', 'reset');
  t.is(done.length, 1);
  // The last of all is the answer to the end of the session.
  const lossy = await between(t, port, { answered: (count) => count !== usual.answered.length - 1 });
  t.is((await ask('-p', `${lossy.port}`, 'chassis', 'power', 'reset')).code, 0);
  t.true(lossy.asked.length > usual.asked.length);
  t.is(done.length, 2);
});

test('what somebody has recorded does nothing, and neither does what is damaged', async (t) => {
  const { ask, done, port, later } = await served(t);
  const usual = await between(t, port);
  await ask('-p', `${usual.port}`, 'chassis', 'power', 'reset');
  // Here nobody ends the session.
  const open = await between(t, port, { asked: (count) => count < usual.asked.length });
  await ask('-p', `${open.port}`, '-R', '1', 'chassis', 'power', 'reset');
  t.is(done.length, 2);
  const inSession = open.asked
    .slice(0, usual.asked.length - 1)
    .filter((bytes) => bytes.readUInt32LE(6) !== 0 && bytes[4] === 6);
  t.true(inSession.length >= 2);
  t.is(await open.sends(...inSession), 0);
  for (const bytes of open.asked)
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x41;
      await open.sends(damaged, bytes.subarray(0, at));
    }
  t.is(await open.sends(Buffer.alloc(4096, 6)), 0);
  t.is(done.length, 2);
  later(61_000);
  t.is((await ask('chassis', 'power', 'status')).code, 0);
});

const statusOf = (answer: Buffer | undefined): number | undefined => answer?.[17];

test('a session does not begin with a proof that is wrong, short, or of another session', async (t) => {
  const { ask, port } = await served(t);
  const usual = await between(t, port);
  await ask('-p', `${usual.port}`, 'chassis', 'power', 'status');
  const [open, rakp1, rakp3] = [0x10, 0x12, 0x14].map(
    (type) => usual.asked.find((bytes) => bytes[5] === type) ?? Buffer.alloc(0),
  );
  using password = Secret.take(Buffer.from(text));
  const account = { user: 'admin', password, guid };
  const chassis = { isOn: () => true, hasNetworkImage: false, reset: () => {} };
  const clients = new Clients(account, new ManagementController(chassis, guid), () => 0);
  const begun = (): ((bytes: Buffer | undefined) => Buffer | undefined) => {
    const id = clients.answer(open ?? Buffer.alloc(0))?.subarray(24, 28) ?? Buffer.alloc(0);
    return (bytes) => {
      const own = Buffer.from(bytes ?? []);
      id.copy(own, 20);
      return clients.answer(own);
    };
  };
  const short = Buffer.from(rakp3?.subarray(0, 24) ?? []);
  short.writeUInt16LE(8, 14);
  for (const proof of [rakp3, short]) {
    const says = begun();
    t.is(statusOf(says(rakp1)), 0);
    t.is(statusOf(says(proof)), 0x0f);
    t.is(statusOf(says(rakp3)), 0x02, 'it is forgotten');
  }
  t.is(statusOf(begun()(rakp3)), 0x0f, 'nothing was asked yet');
});

test('strangers who begin sessions end nobody’s', async (t) => {
  const { ask, done, port } = await served(t);
  const usual = await between(t, port);
  await ask('-p', `${usual.port}`, 'chassis', 'power', 'reset');
  const begins = usual.asked.filter((bytes) => bytes[5] === 0x10);
  t.is(begins.length, 1);
  const many = Array.from({ length: 20 }, () => begins).flat();
  const crowded = await between(t, port, {
    before: (count) => (count === usual.asked.length - 1 ? many : []),
    answered: (count, bytes) => bytes[5] !== 0x11 || count < 6,
  });
  t.is((await ask('-p', `${crowded.port}`, 'chassis', 'power', 'reset')).code, 0);
  t.is(crowded.answered.length, usual.answered.length + many.length);
  t.is(done.length, 2);
  t.is((await ask('chassis', 'power', 'status')).code, 0);
});
