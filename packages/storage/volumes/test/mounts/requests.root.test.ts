import { execFileSync } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

import { mounts } from '@nodecore/block';
import { loopDevice, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import type { VolumeMountRequest } from '../../src/index.ts';
import { manage, MemoryIntents, reach, until } from '../real.ts';
import { type Mounted, userSpec } from '../specs.ts';

const mib = 1 << 20;
const rooted = testWith(root, program('mkfs.ext4'));

function need(requester: string, volumeId: string): VolumeMountRequest {
  const wish = { readOnly: false, disableAccessTime: true, secure: false, noExec: false };
  return { id: `${requester}-${volumeId}`, requester, volumeId, ...wish };
}

rooted(
  'a real mount stays for as long as somebody needs it; what keeps it from closing is named',
  async (t) => {
    const mountRoot = await temporaryDirectory(t);
    const disk = await loopDevice(t, { sizeBytes: 256 * mib });
    const onDisk = `disk.dev_path == "${disk.path}"`;
    const small = (name: string, target: string, parent?: string): Mounted => {
      const spec = userSpec(name, onDisk, {
        filesystem: { type: 'ext4', label: `u-${name}`, projectQuotaSupport: false },
        partition: {
          typeGuid: '0FC63DAF-8483-4772-8E79-3D69D8477DE4',
          minSize: BigInt(32 * mib),
          maxSize: { kind: 'bytes', bytes: BigInt(32 * mib), negative: false, text: '32MiB' },
          grow: false,
        },
      });
      const mount = { ...spec.mount, target: join(mountRoot, target), ...(parent && { parent }) };
      return { ...spec, mount };
    };
    const [lower, upper] = [small('lower', 'lower'), small('upper', 'lower/upper', 'u-lower')];
    const manager = manage([disk.path], new MemoryIntents(), [upper, lower]);
    t.teardown(() => manager.close());
    await reach(manager, 'ready');
    const mountedBelow = async (): Promise<string[]> =>
      (await mounts.list()).filter(({ target }) => target.startsWith(mountRoot)).map(({ target }) => target);
    t.deepEqual(await mountedBelow(), [lower.mount.target, upper.mount.target], 'the parent comes first');

    manager.request([need('kvstore', 'u-upper')]);
    await until(manager, () => true);
    manager.apply([]);
    const [first, second] = manager
      .mounts()
      .toSorted((left, right) => (left.volumeId < right.volumeId ? -1 : 1));
    t.like(first, { volumeId: 'u-lower', isLeaving: true, request: undefined });
    t.like(second, { volumeId: 'u-upper', isLeaving: true, request: { requesters: ['kvstore'] } });

    // Somebody else's mount and an open file on top: the kernel refuses, and the status says who.
    const stranger = join(upper.mount.target, 'stranger');
    await mkdir(stranger);
    execFileSync('mount', ['-t', 'tmpfs', 'none', stranger]);
    const file = await open(join(upper.mount.target, 'file'), 'w');
    t.teardown(() => file.close().catch(() => {}));
    manager.request([]);
    const failed = await until(manager, (all) => all.some(({ phase }) => phase === 'failed'));
    const message = failed.get('u-upper')?.errorMessage ?? '';
    t.regex(message, /stranger is mounted below it/);
    t.regex(message, new RegExp(`process ${process.pid} \\(.*\\) uses .*/file`));
    t.is(failed.get('u-lower')?.phase, 'ready', 'what it lies on waits for it');
    await file.close();
    execFileSync('umount', [stranger]);
    await until(manager, (all) => all.length === 0);
    t.deepEqual(await mountedBelow(), []);
  },
);
