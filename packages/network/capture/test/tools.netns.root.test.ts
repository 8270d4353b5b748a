import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import {
  command,
  output,
  privateNetwork,
  program,
  root,
  temporaryDirectory,
  testWith,
  vethPair,
} from '@nodecore/testkit';
import test from 'ava';

import { captureToFile, open } from '../src/index.ts';
import { flood } from './traffic.ts';
import { tunDevice } from './tun.ts';

const rooted = testWith(root);

test.before(async () => {
  await privateNetwork();
  await vethPair('left', 'right');
});

/** IPv4 with nothing in it (RFC 791), from 192.0.2.1 to 192.0.2.2, protocol 253 for experiments. */
const rawIp = Buffer.from('45000014000000004 0fdf6e8c0000201c0000202'.replaceAll(' ', ''), 'hex');

rooted('a device without a link layer gives raw IP', async (t) => {
  const tun = await tunDevice(t, 'tun0');
  await using capture = await open({ interfaces: ['tun0'], filter: 'ip proto 253' });
  await tun.write(rawIp);
  capture.stop();
  t.is(capture.interfaces[0]?.linkType, 101);
  const packets: string[] = [];
  for await (const batch of capture) {
    for (const { data } of batch) packets.push(Buffer.from(data).toString('hex'));
  }
  t.deepEqual(packets, [rawIp.toString('hex')]);
});

const wireshark = testWith(root, program('tshark'), program('capinfos'));

wireshark('tshark reads a pcapng file of several link types without a complaint', async (t) => {
  const tun = await tunDevice(t, 'tun1');
  const path = join(await temporaryDirectory(t), 'all.pcapng');
  await using capture = await captureToFile(path, {
    interfaces: ['right', 'tun1'],
    filter: 'ip',
    direction: 'in',
    format: 'pcapng',
    comment: 'of a test',
  });
  await flood({ on: 'left', frameBytes: 100, count: 3 });
  await tun.write(rawIp);
  capture.stop();
  await capture.summary();
  const fields = ['frame.interface_name', 'ip.src', 'frame.len', 'ip.proto'].flatMap((name) => ['-e', name]);
  const { stdout, stderr } = await command(['tshark', '-n', '-r', path, '-T', 'fields', ...fields]);
  t.notRegex(stderr, /error|damaged|cut short|malformed/i);
  t.deepEqual(stdout.trim().split('\n').toSorted(), [
    'right\t192.0.2.1\t100\t17',
    'right\t192.0.2.1\t100\t17',
    'right\t192.0.2.1\t100\t17',
    'tun1\t192.0.2.1\t20\t253',
  ]);
  const facts = await output(['capinfos', path]);
  for (const word of ['Capture comment:     of a test', 'Filter string = ip', 'Number of stat entries = 1'])
    t.true(facts.includes(word), `${word} in\n${facts}`);
});

wireshark('tshark reads a pcap file without a complaint', async (t) => {
  const path = join(await temporaryDirectory(t), 'one.pcap');
  await using capture = await captureToFile(path, { interfaces: ['right'], packets: 5n });
  await flood({ on: 'left', frameBytes: 1000, count: 10 });
  await capture.summary();
  const { stdout, stderr, code } = await command([
    'tshark',
    '-n',
    '-r',
    path,
    '-T',
    'fields',
    '-e',
    'udp.length',
  ]);
  t.is(code, 0);
  t.notRegex(stderr, /error|damaged|cut short|malformed/i);
  t.is(stdout, '966\n'.repeat(5));
});

rooted('promiscuous mode ends with a process that is killed', async (t) => {
  const script = `
    import { open } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
    globalThis.capture = await open({ interfaces: ['right'], promiscuous: true });
    const { execFileSync } = await import('node:child_process');
    console.log(JSON.parse(execFileSync('ip', ['-d', '-j', 'link', 'show', 'right'], { encoding: 'utf8' }))[0].promiscuity);
    process.kill(process.pid, 'SIGKILL');
  `;
  const argv = ['--conditions=source', '--input-type=module', '-e', script];
  const { stdout } = await killed([process.execPath, ...argv]);
  t.is(stdout.trim(), '1');
  const [link] = JSON.parse(await output(['ip', '-d', '-j', 'link', 'show', 'right'])) as {
    promiscuity: number;
  }[];
  t.is(link?.promiscuity, 0);
});

/** What a command said that ended by a signal, once all it had open is closed. */
async function killed(argv: readonly [string, ...string[]]): Promise<{ readonly stdout: string }> {
  const [file, ...args] = argv;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let stdout = '';
  for await (const piece of child.stdout) stdout += String(piece);
  await ended;
  return { stdout };
}
