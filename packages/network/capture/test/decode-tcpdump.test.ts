import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { Decoder, line } from '../src/decode/index.ts';
import { decode, sample } from './decoding.ts';
import { pcapFile } from './pcap-file.ts';

/** Packets whose lines are meant to be the same; elsewhere ours say more, or in other words. */
const names = [
  'arp request',
  'arp reply',
  'echo',
  'echo reply',
  'ip in ip',
  '6in4',
  'ip in ipv6',
  'esp',
  'ipv6 echo',
  'packet too big',
  'router solicitation',
  'neighbour solicitation',
  'syn',
  'syn ack',
  'ack with sack',
  'data',
  'fin',
  'urgent',
  'congestion',
  'no flags',
  'udp',
  'udp over ipv6',
  'empty udp',
  'dns query',
  'dns answer',
  'dns pointer',
  'dns name that does not exist',
  'ntp client',
  'ntp server',
  'http response',
];

testWith(program('tcpdump'))('common packets read as tcpdump shows them', async (t) => {
  const samples = names.map(sample);
  const path = join(await temporaryDirectory(t), 'packets.pcap');
  await writeFile(path, pcapFile(samples, 1));
  const printed = await output(['tcpdump', '-n', '-t', '-r', path]);
  // Below HTTP's line it prints the rest of the head.
  const theirs = printed.split('\n').filter((each) => /^(?:ARP|IP6?)[ ,]/.test(each));
  const decoder = new Decoder();
  const ours = samples.map((each) => line(decode(each, decoder), { time: 'none' }));
  t.deepEqual(ours, theirs);
});
