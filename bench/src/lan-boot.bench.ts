import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from 'node:net';

import { Lan, type LanSpec } from '@nodecore/lan';
import { Machine } from '@nodecore/machine';
import { createServer } from '@nodecore/sys/http';

import { ask, type Bench } from './question.ts';

const patienceMs = 120_000;
const port = 8069;
const path = '/bench/boot.ipxe';
const mac = '02:00:00:00:00:01';
const tap = 'tap1-0';
const spec: LanSpec = {
  namespace: 'os-bench-boot',
  cidr: '10.78.0.0/24',
  gateway: '10.78.0.1',
  mtu: 1500,
  domain: 'bench.internal',
  hosts: [{ name: 'host-1', mac, address: '10.78.0.2', tap }],
  doors: [],
  outlets: [],
  bootScript: `http://10.78.0.1:${port}${path}`,
};

/** What a network is without them; all else of it is the same. */
const withoutAdvertisements = `table ip6 bench {
  chain output {
    type filter hook output priority filter; policy accept;
    icmpv6 type nd-router-advert drop
  }
}`;

/** A start from the network, as far as it is the network's: until iPXE, the program of the card, asks for its script. */
export const bench: Bench = {
  needsMachines: true,
  async prepare(stack) {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const start = async (isAdvertised: boolean): Promise<Boot> => {
      const lan = await Lan.open(spec, join(directory, 'lan'));
      try {
        if (!isAdvertised)
          await lan.namespace.run(['sh', '-c', 'echo "$1" | nft -f -', 'sh', withoutAdvertisements]);
        return await untilAsked(lan, join(directory, 'machine'));
      } finally {
        await lan.remove();
      }
    };
    const side = (name: string, isAdvertised: boolean) => ({
      name,
      run: async () => (await start(isAdvertised)).asked,
      sample: async () => (await start(isAdvertised)).ms,
    });
    return [
      ask({
        name: 'lan-boot',
        question:
          'How long does a machine take from the power button until it asks for what to start from the network?',
        gate: 0.6,
        rounds: 7,
        warmUp: 0,
        ours: side('with router advertisements', true),
        peer: side('the same network, where nobody answers router solicitations', false),
      }),
    ];
  },
};

type Boot = { readonly ms: number; readonly asked: string };

async function untilAsked(lan: Lan, directory: string): Promise<Boot> {
  const asked = Promise.withResolvers<string>();
  const web = createServer(({ url = '' }, response) => {
    response.writeHead(404).end();
    asked.resolve(url);
  });
  const server: Server = await lan.listen(port);
  server.on('connection', (socket) => web.emit('connection', socket));
  await using machine = await Machine.open(
    {
      name: 'bench',
      uuid: '3f2c1b0a-7d64-4e0b-9a51-0c6f8e2d4b17',
      firmware: 'bios',
      tpm: 'none',
      memoryMib: 256,
      cpus: 1,
      disks: [],
      nics: [{ backend: { kind: 'tap', interface: tap }, mac, mtu: spec.mtu }],
      boot: { kind: 'network' },
    },
    { directory },
  );
  const limit = setTimeout(() => asked.reject(new Error('it asks for nothing')), patienceMs);
  const began = performance.now();
  try {
    await machine.powerOn({ namespaces: lan.namespace.files() });
    return { asked: await asked.promise, ms: performance.now() - began };
  } finally {
    clearTimeout(limit);
    web.closeAllConnections();
  }
}
