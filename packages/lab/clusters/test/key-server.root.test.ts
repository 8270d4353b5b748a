import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { Lan, type LanSpec, Namespace } from '@nodecore/lan';
import * as kms from '@nodecore/kms';
import { Secret } from '@nodecore/sys';
import { output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { keyServerCommand, serveKeys } from '../src/gateway/key-server.ts';
import { ClusterDirectory } from '../src/index.ts';

const node = { nodeUuid: '6c1f0c2e-4f1d-4d0e-9a53-7b1e2d9c8f05', volume: 'STATE' };

testWith(root, program('dnsmasq'))(
  'the gateway seals keys of volumes, and the next keeper opens what it sealed, with the same key that nobody else reads',
  async (t) => {
    const home = await temporaryDirectory(t);
    const directory = new ClusterDirectory(home, 'sealed');
    await directory.make();
    const listen = { address: '127.77.0.1', port: 4050 };
    const spec: LanSpec = {
      namespace: `os-${process.pid}-kms`,
      cidr: '10.5.0.0/24',
      gateway: '10.5.0.1',
      ipv6: { cidr: 'fd00:1::/64', gateway: 'fd00:1::1' },
      mtu: 1500,
      domain: 'example.cluster',
      hosts: [],
      doors: [{ listen, target: { address: '10.5.0.1', port: 4050 } }],
      outlets: [],
    };
    t.teardown(() => new Namespace(spec.namespace).remove());
    const endpoint = kms.parseEndpoint(`grpc://${listen.address}:${listen.port}`);
    using key = Secret.random(32);
    const said: string[] = [];
    let sealed = new Uint8Array();
    {
      const lan = await Lan.open(spec, directory.lan);
      await using _keys = await serveKeys(lan, directory, (line) => said.push(line));
      sealed = Uint8Array.from(await kms.seal(endpoint, { ...node, data: key }));
      await lan.close();
    }
    t.is((await stat(join(directory.secrets, 'kms-ring'))).mode & 0o777, 0o600);
    const lan = await Lan.open(spec, directory.lan);
    t.teardown(() => lan.close());
    await using _keys = await serveKeys(lan, directory, (line) => said.push(line));
    using again = await kms.unseal(endpoint, { ...node, data: sealed });
    t.true(again.equals(key));
    const listening = await lan.namespace.run(['ss', '-Hltn', 'sport = :4052']);
    t.regex(listening, /127\.0\.0\.1:4052/, 'it is on loopback of the namespace alone');
    t.notRegex(listening, /0\.0\.0\.0:4052|\*:4052|\[::\]:4052/);
    t.deepEqual(said, []);
    const shown = await output(['ps', '-eo', 'args']);
    t.true(shown.includes(join(directory.secrets, 'kms-ring')));
  },
);

testWith(root, program('dnsmasq'))(
  'a key server that ends is started again, and one that a killed process left makes room',
  async (t) => {
    const home = await temporaryDirectory(t);
    const directory = new ClusterDirectory(home, 'again');
    await directory.make();
    const namespace = `os-${process.pid}-again`;
    t.teardown(() => new Namespace(namespace).remove());
    const network = { cidr: '10.5.0.0/24', gateway: '10.5.0.1', mtu: 1500, domain: 'example.cluster' };
    const lan = await Lan.open({ ...network, namespace, hosts: [], doors: [], outlets: [] }, directory.lan);
    t.teardown(() => lan.close());
    const ring = join(directory.secrets, 'kms-ring');
    const [file, ...words] = keyServerCommand() ?? [''];
    await output([file, ...words, 'ring', 'init', '--ring', ring]);
    const left = spawnLeft(
      lan.namespace.inside([
        file,
        ...words,
        'serve',
        '--plaintext',
        '--listen',
        '127.0.0.1:4052',
        '--ring',
        ring,
      ]),
    );
    await once(left.stdout, 'data'); // it listens
    const said: string[] = [];
    const again = Promise.withResolvers<void>();
    const keys = await serveKeys(lan, directory, (line) => {
      if (said.push(line) === 2) again.resolve();
    });
    t.teardown(() => keys[Symbol.asyncDispose]());
    t.is(left.signalCode, 'SIGKILL');
    const serving = async (): Promise<string> =>
      /pid=(\d+)/.exec(await lan.namespace.run(['ss', '-Hltnp', 'sport = :4052']))?.[1] ?? 'none';
    const former = await serving();
    process.kill(Number(former), 'SIGKILL');
    await again.promise;
    t.regex(said[0] ?? '', /^the key server ended: .*; it is started again$/);
    t.is(said[1], 'the key server serves again');
    t.notRegex(await serving(), new RegExp(`^(${former}|none)$`));
  },
);

function spawnLeft([file, ...words]: readonly [string, ...string[]]): ChildProcessByStdio<
  null,
  Readable,
  null
> {
  return spawn(file, words, { stdio: ['ignore', 'pipe', 'ignore'] });
}
