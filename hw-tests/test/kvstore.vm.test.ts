import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { connect, getPrefix, type Kvstore, put } from '@nodecore/kvstore';
import { etcdProgram } from '@nodecore/testkit';
import test from 'ava';

import { RigMachine } from '../src/index.ts';
import { freePort, install, NodeAgent, nodeSpec } from './agent-node.ts';
import { osctlWith, type OsctlResult } from './osctl.ts';

const ca = await pki.createCA('nodecore');
const kvstoreAuthority = await pki.createCA('kvstore');
const uuid = 'a7d0c1f2-3b84-4e65-9c17-5f2e8d90b364';
const systemDisk = 'NODE-SYSTEM';
const keys = 200;

/** etcd is a program of the host, which the machine sees read-only. */
function documents(): string {
  const root = {
    version: 'v1alpha1',
    machine: { type: 'controlplane', ca: stored(ca) },
    cluster: { kvstore: { ca: stored(kvstoreAuthority), program: etcdProgram('etcd') } },
  };
  return JSON.stringify(root); // which is YAML, too
}

function stored({ crt, key }: pki.Identity): { readonly crt: string; readonly key: string } {
  return { crt: Buffer.from(crt).toString('base64'), key: key.bytes.toString('base64') };
}

/** The member itself, past the agent: only it can be written to. */
async function memberAt(port: number): Promise<Kvstore> {
  const { crt, key } = await pki.issueNamedClient(kvstoreAuthority, { commonName: 'root' });
  using _key = key;
  const tls = { ca: kvstoreAuthority.crt, certificate: crt, key };
  return await connect({ endpoints: [`https://127.0.0.1:${port}`], tls, timeoutMs: 30_000 });
}

function succeeded({ code, stdout, stderr }: OsctlResult): string {
  if (code !== 0) throw new Error(`${code}: ${stderr}`);
  return stdout;
}

test('a node loses its disk, and osctl alone brings its kvstore back from a snapshot', async (t) => {
  t.timeout(600_000);
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const [port, memberPort] = [await freePort(), await freePort()];
  const endpoint = `127.0.0.1:${port}`;
  const config = Osconfig.empty(join(directory, 'osconfig'));
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:admin'] });
  config.set('node', { endpoints: [endpoint], ca: ca.crt, crt, key });
  config.use('node');
  await writeFile(join(directory, 'osconfig'), config.encode());
  await writeFile(join(directory, 'node.yaml'), documents());
  const osctl = osctlWith(join(directory, 'osconfig'));
  const snapshot = join(directory, 'snapshot.db');
  const { disks, ...spec } = nodeSpec({ name: 'kvstore', uuid, port });

  await using machine = await RigMachine.boot({
    ...spec,
    disks: disks.filter(({ serial }) => serial === systemDisk),
    forwards: [...spec.forwards, { host: memberPort, guest: 2379 }],
  });
  /** Begins on a disk that knows nothing, with the configuration of before. */
  const begin = async (): Promise<NodeAgent> => {
    await install(machine);
    const agent = await NodeAgent.start(machine, port);
    t.teardown(() => {
      if (!t.passed) t.log(agent.lines.slice(-40).join('\n'));
    });
    const insecure = ['-i', '-n', endpoint, '--cert-fingerprint', agent.fingerprint ?? ''];
    succeeded(await osctl('apply-config', '-f', join(directory, 'node.yaml'), ...insecure));
    await agent.logged('the member of the kvstore waits', /no data/);
    return agent;
  };

  const started = performance.now();
  const first = await begin();
  succeeded(await osctl('bootstrap'));
  {
    await using member = await memberAt(memberPort);
    for (let index = 0; index < keys; index += 1) await put(member, `key-${index}`, `value ${index}`);
  }
  t.regex(succeeded(await osctl('kvstore', 'snapshot', snapshot)), /snapshot info: hash [0-9a-f]{8}/);
  t.is(await first.stop(), 0, first.lines.slice(-20).join('\n'));

  const device = machine.devices.get(systemDisk) ?? '';
  const wiped = await machine.run(['blkdiscard', '-f', '-z', device]);
  t.is(wiped.code, 0, wiped.stderr.toString());
  await machine.run(['blockdev', '--rereadpt', device]);

  const second = await begin();
  const recovered = succeeded(await osctl('bootstrap', '--recover-from', snapshot));
  t.regex(recovered, /recovering from snapshot/);
  t.regex(recovered, /the kvstore runs, member [0-9a-f]{16}/);
  {
    await using member = await memberAt(memberPort);
    const { entries } = await getPrefix(member, 'key-');
    t.is(entries.length, keys);
  }
  const [status] = JSON.parse(succeeded(await osctl('kvstore', 'status', '-o', 'json'))) as [
    { readonly errors: readonly string[]; readonly leader: string; readonly member: string },
  ];
  t.is(status.member, status.leader);
  t.is(await second.stop(), 0, second.lines.slice(-20).join('\n'));
  t.log(`blank to recovered: ${((performance.now() - started) / 1000).toFixed(1)} s`);
});
