import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { output, program, root, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { Lan, type LanSpec, Namespace } from '../src/index.ts';
import { network } from './nodes.ts';

/** A network of two hosts in namespaces. */
async function pair(t: ExecutionContext, octet: number) {
  const { spec, directory, node } = await network(t, octet);
  const second = {
    name: 'two',
    mac: '02:00:00:00:00:02',
    tap: 'tap1-0',
    namespace: `${spec.namespace}-2`,
    address: `10.${octet}.0.3`,
    address6: `fd00:${octet}::3`,
  };
  const { uplink: _, ...own } = spec;
  const both: LanSpec = { ...own, hosts: [...spec.hosts, second] };
  return { spec: both, directory, one: node, two: new Namespace(second.namespace), address: second.address };
}

testWith(
  root,
  program('dnsmasq'),
  program('busybox'),
)(
  'hosts in namespaces reach each other when they are told to begin, which is before the network is open',
  async (t) => {
    const { spec, directory, one, address } = await pair(t, 61);
    const steps: string[] = [];
    let ping: Promise<unknown> | undefined;
    const joined = (): void => {
      steps.push('joined');
      ping = one.run(['busybox', 'ping', '-c', '1', '-W', '20', address]);
    };
    const lan = await Lan.open(spec, directory, undefined, { joined });
    steps.push('open');
    t.deepEqual(steps, ['joined', 'open']);
    await t.notThrowsAsync(ping ?? Promise.reject(new Error('never')));
    await lan.close();

    const again = await Lan.open(spec, directory, undefined, { joined }); // what is there goes on
    t.deepEqual(steps, ['joined', 'open', 'joined']);
    await ping;
    await again.remove();
  },
);

testWith(root)(
  'what has begun in the namespace of a host is ended with a network whose names nobody serves',
  async (t) => {
    const { spec, directory, two } = await pair(t, 62);
    // A server that ends as soon as something runs inside.
    const fifo = join(directory, 'runs inside');
    await output(['mkfifo', fifo]);
    const programs = join(directory, 'programs');
    await mkdir(programs);
    await writeFile(join(programs, 'dnsmasq'), `#!/bin/sh\nread -r _ <'${fifo}'; exit 1\n`, { mode: 0o755 });
    const path = process.env['PATH'];
    process.env['PATH'] = `${programs}:${path}`;
    t.teardown(() => (process.env['PATH'] = path));

    let ending: Promise<readonly unknown[]> | undefined;
    const joined = (): void => {
      const [file, ...words] = two.inside(['sh', '-c', 'echo >"$1"; exec sleep 1000', 'sh', fifo]);
      ending = once(spawn(file, words, { stdio: 'ignore' }), 'close');
    };
    await t.throwsAsync(Lan.open(spec, directory, undefined, { joined }), { code: 'ERR_LAN_COMMAND' });
    t.deepEqual(await ending, [null, 'SIGKILL']);
    t.false(await two.exists());
  },
);
