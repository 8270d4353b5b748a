import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { connect, decodeSpec } from '@nodecore/api';
import { partitions } from '@nodecore/block';
import { consoleFile, consoleSays, Machine } from '@nodecore/machine';
import { metaTag, readMeta } from '@nodecore/meta';
import * as pki from '@nodecore/pki';
import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { fileView, type View } from '@nodecore/view';

import { authority, rootDocument } from '../../packages/apps/agent/test/documents.ts';
import { installerKey, serveInstaller } from '../../packages/apps/agent/test/installer-registry.ts';
import { nodeImage } from '../src/node-image.ts';
import { freePort } from './agent-node.ts';
import { bootMedium } from './boot-medium.ts';
import { systemdBoot } from './tiny-system.ts';

const gib = 1024 ** 3;

testWith(
  program('qemu-system-x86_64'),
  program('sgdisk'),
  program('fsck.vfat'),
  program('mcopy'),
  program('mksquashfs'),
)(
  'a machine that was started from a CD is told over its API to install itself, and then starts from its disk by itself and is what it was told to be',
  async (t) => {
    t.timeout(280_000);
    const directory = await temporaryDirectory(t);
    const [ca, key, port] = [await authority(), installerKey(), await freePort()];
    // Nothing is installed unless PID 1 has laid this over the root: it has the key that signs the release.
    const extension = await squashfsOf(directory, { 'usr/share/nodeos/installer-keys/test.pub': key.pem });
    const image = await nodeImage(
      { 'system/meta.json': JSON.stringify({ 12: 'of the medium' }) },
      { extensions: { 'os/keys': extension } },
    );
    const { file, uki } = await bootMedium(directory, image);
    const loader = await (await systemdBoot()).bytes();
    const { reference } = await serveInstaller(t, { key, uki: await uki.bytes(), loader });
    await using machine = await Machine.open(
      {
        name: 'install',
        uuid: randomUUID(),
        firmware: 'uefi',
        variableStore: {},
        tpm: 'none',
        memoryMib: 1024,
        cpus: 2,
        durability: 'none',
        disks: [
          { driver: 'virtio', sizeBytes: 4 * gib, serial: 'SYSTEM' },
          { driver: 'virtio', sizeBytes: gib, serial: 'DATA' },
        ],
        boot: { kind: 'iso', file, after: 'disk' },
        nics: [{ backend: { kind: 'user', restricted: false, forwards: [{ host: port, guest: 50_000 }] } }],
      },
      { directory },
    );
    const endpoint = `127.0.0.1:${port}`;
    await machine.powerOn();
    await consoleSays(directory, 'maintenance on port', AbortSignal.timeout(120_000));
    const stranger = connect({ endpoint, insecure: true });
    t.teardown(() => stranger.close());
    const documents = `${rootDocument(ca)}---
apiVersion: v1alpha1
kind: UnattendedInstallConfig
installer: {image: "${reference.replace('127.0.0.1', '10.0.2.2')}"}
provisioning:
  diskSelector: {match: disk.serial == "SYSTEM"}
`;
    const told = await stranger.applyConfiguration({ data: Buffer.from(documents) }, { timeoutMs: 60_000 });
    t.regex(told.modeDetails, /The node installs itself first/u);
    await consoleSays(directory, 'nodecore: the machine is installed', AbortSignal.timeout(120_000));
    await machine.stopped();
    t.is(machine.reason, 'guest-reset');
    await machine.powerOn();
    await consoleSays(directory, 'nodecore: configuration is active', AbortSignal.timeout(120_000));
    const said = await readFile(join(directory, consoleFile), 'latin1');
    t.regex(said, /starting Boot[0-9A-F]{4} "nodeos" from HD\(1,GPT,.*\\EFI\\systemd\\systemd-bootx64\.efi/u);
    const { crt, key: clientKey } = await pki.issueClient(ca, { roles: ['os:admin'] });
    const client = connect({ endpoint, ca: ca.crt, crt, key: clientKey });
    t.teardown(() => client.close());
    const status = async (): Promise<unknown> => {
      const { resource } = await client.get({
        type: 'UnattendedInstallStatuses.runtime.nodecore.dev',
        namespace: 'runtime',
        id: 'install',
      });
      return decodeSpec(resource?.spec ?? new Uint8Array());
    };
    let phase: unknown;
    while (phase === undefined && machine.state === 'running') phase = await status().catch(() => undefined); // no address yet
    t.deepEqual(phase, { phase: 'installed' });
    await machine.powerOff({ graceMs: 60_000 });

    const disk = join(directory, 'SYSTEM.disk');
    const table = await partitions.read(disk);
    t.deepEqual(
      table?.partitions.map(({ label }) => label),
      ['EFI', 'META', 'STATE', 'EPHEMERAL'],
    );
    const [efi, meta] = table?.partitions ?? [];
    const copy = join(directory, 'copied.efi');
    const copied = spawnSync('mcopy', [
      '-i',
      `${disk}@@${efi?.offset}`,
      '::EFI/Linux/nodeos-1.14.1-1.efi',
      copy,
    ]);
    t.is(copied.status, 0, copied.stderr.toString());
    await using stored = await open(disk);
    const bytes = Buffer.alloc(1 << 20);
    await stored.read(bytes, 0, bytes.length, Number(meta?.offset));
    const { values } = readMeta(bytes);
    t.is(Buffer.from(values.get(12) ?? []).toString(), 'of the medium');
    t.like(JSON.parse(Buffer.from(values.get(metaTag.bootRecord) ?? []).toString()), { sequence: 1 });
  },
);

async function squashfsOf(directory: string, files: Readonly<Record<string, string>>): Promise<View> {
  const tree = join(directory, 'tree');
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(tree, path)), { recursive: true, mode: 0o755 });
    await writeFile(join(tree, path), content);
  }
  const file = join(directory, 'layer.sqsh');
  await output(['mksquashfs', tree, file, '-all-root', '-no-xattrs', '-quiet', '-no-progress']);
  return await fileView(file);
}
