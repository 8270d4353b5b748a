import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { linkTypes } from '@nodecore/capture';
import { CaptureReader } from '@nodecore/capture/formats';
import type { ExecutionContext } from 'ava';

import type { RigMachine } from '../src/index.ts';
import type { Authority } from './agent-node.ts';
import { osctlMeanwhile, osctlWith } from './osctl.ts';

const apiPort = 50_000;
const discard = 9;

/** What somebody who may capture and nothing else gets of a node's interfaces, here and in a file on the node. */
export async function checkCaptures(
  t: ExecutionContext,
  machine: RigMachine,
  port: number,
  ca: Authority,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const osconfig = join(directory, 'osconfig');
  const config = Osconfig.empty(osconfig);
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:capture'] });
  config.set('node', { endpoints: [`127.0.0.1:${port}`], ca: ca.crt, crt, key });
  config.use('node');
  await writeFile(osconfig, config.encode());

  const shell = async (script: string): Promise<void> => {
    const { code, stderr } = await machine.run(['bash', '-c', script]);
    if (code !== 0) throw new Error(`${script}: ${stderr.toString()}`);
  };
  /** Captures while the node sends datagrams to an address. */
  const captureOf = async (address: string, ...flags: readonly string[]): Promise<string> => {
    // Where nobody has a key of the tunnel, the sender is told so, too.
    const send = (): Promise<void> =>
      shell(`for n in 1 2 3; do echo $n > /dev/udp/${address}/${discard}; done 2> /dev/null; true`);
    const { code, stdout, stderr } = await osctlMeanwhile(
      osconfig,
      ['pcap', '--duration', '1m', ...flags],
      /^capturing/m,
      send,
    );
    t.is(code, 0, stderr);
    return stdout + stderr;
  };

  // The filter asks for the API's packets, too, and each of these calls causes some.
  const either = `udp port ${discard} or tcp port ${apiPort}`;
  const here = join(directory, 'eth0.pcap');
  t.regex(
    await captureOf('10.0.2.2', '-o', here, '--count', '3', '--bpf-filter', either),
    /^capturing on eth0 \(EN10MB\)\n3 packets received, 0 dropped\n$/,
  );
  t.deepEqual(await datagrams(here, linkTypes.ethernet, 14), ['1\n', '2\n', '3\n']);
  t.regex(
    await captureOf('10.0.2.2', '--include-api-traffic', '--count', '1', '--bpf-filter', 'tcp'),
    / IP 10\.0\.2\.\d+\.\d+ > 10\.0\.2\.\d+\.\d+: Flags/,
  );

  // Nobody has a key of this tunnel: packets go as far as its interface, where they have no link layer.
  await shell('ip link add wg0 type wireguard && ip addr add 10.9.0.1/24 dev wg0 && ip link set wg0 up');
  const there = ['-i', 'wg0', '--direction', 'out', '--write-on-node', 'wg.pcap', '--count', '3'];
  const sent = captureOf('10.9.0.2', ...there, '--bpf-filter', 'udp');
  t.regex(
    await sent,
    /^capturing on wg0 \(RAW\), on the node into \S+\/captures\/wg\.pcap\n3 packets received/,
  );
  const osctl = osctlWith(osconfig);
  const fetched = join(directory, 'wg.pcap');
  t.is((await osctl('pcap', '--fetch-from-node', 'wg.pcap', '-o', fetched)).stderr, '');
  t.deepEqual(await datagrams(fetched, linkTypes.rawIp, 0), ['1\n', '2\n', '3\n']);
  t.is((await osctl('pcap', '--remove-on-node', 'wg.pcap')).stderr, '');
  await shell('ip link delete wg0');
}

/** What datagrams in a capture carry. @throws for a packet that is none. */
async function datagrams(path: string, linkType: number, linkBytes: number): Promise<readonly string[]> {
  const found: string[] = [];
  const reader = new CaptureReader(createReadStream(path));
  for await (const { data } of reader) {
    const ip = Buffer.from(data.subarray(linkBytes));
    const udp = ip.subarray(((ip[0] ?? 0) & 15) * 4);
    const [from] = reader.interfaces;
    if (from?.linkType !== linkType || ip[9] !== 17 || udp.readUInt16BE(2) !== discard)
      throw new Error(`link type ${from?.linkType}: ${ip.toString('hex')}`);
    found.push(udp.subarray(8, udp.readUInt16BE(4)).toString());
  }
  return found;
}
