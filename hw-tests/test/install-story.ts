import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { connect } from '@nodecore/api';
import { consoleSays, Machine, type MachineSpec } from '@nodecore/machine';
import { output, temporaryDirectory } from '@nodecore/testkit';
import { fileView, type View } from '@nodecore/view';
import type { ExecutionContext } from 'ava';

import { authority, rootDocument } from '../../packages/apps/agent/test/documents.ts';
import { installerKey, serveInstaller } from '../../packages/apps/agent/test/installer-registry.ts';
import { type NodeImage, nodeImage } from '../src/node-image.ts';
import { freePort } from './agent-node.ts';
import { bootMedium } from './boot-medium.ts';
import { systemdBoot } from './tiny-system.ts';

export const systemDiskBytes: number = 4 * 1024 ** 3;

/** A machine that was started from a CD, and was told over its API to install itself on a blank disk. */
export type Installed = {
  readonly directory: string;
  readonly disk: string;
  /** What was written to the disk until the machine rebooted. */
  readonly record: string;
  /** The release. */
  readonly uki: View;
  readonly image: NodeImage;
  readonly ca: Awaited<ReturnType<typeof authority>>;
  readonly endpoint: string;
  /** What the node said to its configuration. */
  readonly told: string;
  readonly reason: string | undefined;
  /** To go on with. */
  readonly spec: MachineSpec;
};

export async function installFromCd(t: ExecutionContext): Promise<Installed> {
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
  const record = join(directory, 'record');
  await writeFile(record, '');
  const system = { driver: 'virtio', sizeBytes: systemDiskBytes, serial: 'SYSTEM' } as const;
  const data = { driver: 'virtio', sizeBytes: 1024 ** 3, serial: 'DATA' } as const;
  const spec: MachineSpec = {
    name: 'install',
    uuid: randomUUID(),
    firmware: 'uefi',
    variableStore: {},
    tpm: 'none',
    memoryMib: 1024,
    cpus: 2,
    durability: 'none',
    disks: [system, data],
    boot: { kind: 'iso', file, after: 'disk' },
    nics: [{ backend: { kind: 'user', restricted: false, forwards: [{ host: port, guest: 50_000 }] } }],
  };
  const endpoint = `127.0.0.1:${port}`;
  await using machine = await Machine.open({ ...spec, disks: [{ ...system, record }, data] }, { directory });
  await machine.powerOn();
  await consoleSays(directory, 'maintenance on port', AbortSignal.timeout(500_000));
  const stranger = connect({ endpoint, insecure: true });
  t.teardown(() => stranger.close());
  const documents = `${rootDocument(ca)}---
apiVersion: v1alpha1
kind: UnattendedInstallConfig
installer: {image: "${reference.replace('127.0.0.1', '10.0.2.2')}"}
provisioning:
  diskSelector: {match: disk.serial == "SYSTEM"}
`;
  const request = { data: Buffer.from(documents) };
  const { modeDetails: told } = await stranger.applyConfiguration(request, { timeoutMs: 180_000 });
  await consoleSays(directory, 'nodecore: the machine is installed', AbortSignal.timeout(500_000));
  await machine.stopped();
  const disk = join(directory, 'SYSTEM.disk');
  return { directory, disk, record, uki, image, ca, endpoint, told, reason: machine.reason, spec };
}

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
