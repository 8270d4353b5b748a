import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { mounts } from '@nodecore/block';
import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { manage, MemoryIntents, reach, until } from './real.ts';
import { diskSpec, userSpec } from './specs.ts';

const mib = 1 << 20;
const rooted = testWith(root, program('mkfs.ext4'), program('mkfs.xfs'));

for (const type of ['ext4', 'xfs'] as const) {
  rooted(
    `a disk that runs full while ${type} is made is named, and made anew when it has room`,
    async (t) => {
      // Provisioned thinly, as a file whose filesystem is smaller.
      const pool = await temporaryDirectory(t);
      await mounts.mount({ source: 'tmpfs', target: pool, type: 'tmpfs', data: { size: '6m' } });
      t.teardown(() => mounts.unmount(pool));
      const file = join(pool, 'disk');
      await writeFile(file, '');
      await truncate(file, 512 * mib);
      const disk = await loopDevice(t, { file });
      const mountRoot = await temporaryDirectory(t);
      const base = type === 'ext4' ? diskSpec : userSpec;
      const spec = base('data', `disk.dev_path == "${disk.path}"`, {
        filesystem: { type, label: 'u-data', projectQuotaSupport: false },
      });
      const partition = spec.partition && { ...spec.partition, minSize: BigInt(400 * mib) };
      const target = join(mountRoot, 'data');
      const wanted = { ...spec, ...(partition && { partition }), mount: { ...spec.mount, target } };
      const manager = manage([disk.path], new MemoryIntents(), [wanted]);
      t.teardown(() => manager.close());
      const [failed] = (await until(manager, ([status]) => status?.errorCode !== undefined)).values();
      t.log(failed?.errorMessage);
      t.like(failed, { phase: 'failed', errorCode: 'ERR_BLOCK_FAILED', permanence: 'transient' });
      t.true(failed?.errorMessage?.includes(disk.path), failed?.errorMessage);
      t.true((failed?.nextRetryAt ?? 0) > 0);
      await output(['mount', '-o', 'remount,size=256m', pool]);
      const [ready] = (await reach(manager, 'ready')).values();
      await writeFile(join(target, 'file'), 'kept');
      await manager.close();
      const location = ready?.location ?? '';
      await output(type === 'xfs' ? ['xfs_repair', '-n', location] : ['e2fsck', '-fn', location]);
      const again = manage([disk.path], new MemoryIntents(), [wanted]);
      t.teardown(() => again.close());
      await reach(again, 'ready');
      t.is(await readFile(join(target, 'file'), 'utf8'), 'kept');
    },
  );
}
