import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { dnsmasqConfig, Lan, type LanSpec } from '@nodecore/lan';

import { runProgram } from './program.ts';
import { ask, type Bench } from './question.ts';

const numbers = [1, 2, 3];
const peer = 'os-bench-peer';
const spec: LanSpec = {
  namespace: 'os-bench-ours',
  cidr: '10.77.0.0/24',
  gateway: '10.77.0.1',
  mtu: 1500,
  domain: 'bench.internal',
  hosts: numbers.map((number) => ({
    name: `host-${number}`,
    mac: `02:00:00:00:00:0${number}`,
    address: `10.77.0.${number + 1}`,
    tap: `tap${number}-0`,
  })),
  doors: numbers.map((number) => ({
    listen: { address: `127.77.0.${number + 1}`, port: 50_000 },
    target: { address: `10.77.0.${number + 1}`, port: 50_000 },
  })),
  outlets: [],
};

/** A cluster's network from nothing until it serves, against what people write down to have the same, without any way into it. */
export const bench: Bench = {
  async prepare(stack) {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const script = await peerScript(directory);
    const ours = async <Answer>(then: () => Promise<Answer>): Promise<Answer> => {
      const lan = await Lan.open(spec, directory);
      try {
        return await then();
      } finally {
        await lan.remove();
      }
    };
    const theirs = async <Answer>(then: () => Promise<Answer>): Promise<Answer> => {
      await runProgram(['sh', script]);
      try {
        return await then();
      } finally {
        const pid = (await readFile(join(directory, 'peer.pid'), 'utf8')).trim();
        await runProgram(['sh', '-c', `kill ${pid} && ip netns delete ${peer}`]);
      }
    };
    const timed = async (up: typeof ours): Promise<number> => {
      const began = performance.now();
      return await up(async () => performance.now() - began);
    };
    return [
      ask({
        name: 'lan-up',
        question: 'How long does the network of a cluster of three machines take until it serves?',
        gate: 1.2,
        rounds: 21,
        ours: {
          name: 'Lan.open, with a door to each',
          run: () => ours(() => interfaces(spec.namespace)),
          sample: () => timed(ours),
        },
        peer: {
          name: 'ip netns, ip, dnsmasq in a script, without doors',
          run: () => theirs(() => interfaces(peer)),
          sample: () => timed(theirs),
        },
      }),
    ];
  },
};

/** The commands of a person, one after another; dnsmasq goes into the background when it serves. */
async function peerScript(directory: string): Promise<string> {
  const [config, pid, log] = ['peer.conf', 'peer.pid', 'peer.log'].map((name) => join(directory, name));
  const ours = dnsmasqConfig(spec).split('\n');
  const own = ours.filter((line) => !['keep-in-foreground', 'log-facility=-'].includes(line));
  await writeFile(config ?? '', `${own.join('\n')}\nlog-facility=${log}\n`);
  const script = join(directory, 'peer.sh');
  const ip = `ip -n ${peer}`;
  await writeFile(
    script,
    `set -e
ip netns add ${peer}
${ip} link set lo up
${ip} link add br0 mtu ${spec.mtu} type bridge forward_delay 0
${ip} address add ${spec.gateway}/24 dev br0
${ip} address add fd6f:7300:a4d:0::1/64 dev br0 nodad
${spec.hosts.map(({ tap }) => `${ip} tuntap add dev ${tap} mode tap vnet_hdr\n${ip} link set ${tap} mtu ${spec.mtu} master br0 up`).join('\n')}
${ip} link set br0 up
ip netns exec ${peer} dnsmasq --conf-file=${config} --pid-file=${pid}
`,
  );
  return script;
}

/** Names, sizes and chosen addresses of what is in a namespace. */
async function interfaces(namespace: string): Promise<readonly string[]> {
  const links = JSON.parse(await runProgram(['ip', '-j', '-n', namespace, 'address'])) as readonly {
    readonly ifname: string;
    readonly mtu: number;
    readonly addr_info: readonly { readonly local: string; readonly scope: string }[];
  }[];
  return links.map(({ ifname, mtu, addr_info: addresses }) =>
    [ifname, mtu, ...addresses.filter(({ scope }) => scope === 'global').map(({ local }) => local)].join(' '),
  );
}
