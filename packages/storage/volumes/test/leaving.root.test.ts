import { join } from 'node:path';

import { mounts } from '@nodecore/block';
import { loopDevice, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import type { VolumeSpec } from '../src/index.ts';
import { manage, MemoryIntents, reach, until } from './real.ts';
import { userSpec } from './specs.ts';

const rooted = testWith(root, program('mkfs.ext4'));

for (const ending of ['its document goes', 'the node stops'] as const) {
  rooted(`a mounted volume that failed after a restart is unmounted when ${ending}`, async (t) => {
    const disk = await loopDevice(t, { sizeBytes: 1100 << 20 });
    const mountRoot = await temporaryDirectory(t);
    const target = join(mountRoot, 'data');
    const isMounted = async (): Promise<boolean> =>
      (await mounts.list()).some((mount) => mount.target === target);
    const spec = (type: 'ext4' | 'xfs'): VolumeSpec => {
      const { mount, filesystem, ...rest } = userSpec('data', `disk.dev_path == "${disk.path}"`);
      return { ...rest, filesystem: { ...filesystem, type }, mount: { ...mount, target } };
    };
    const intents = new MemoryIntents();
    const first = manage([disk.path], intents, [spec('ext4')]);
    t.teardown(() => first.close());
    await reach(first, 'ready');
    await first.stop();

    const second = manage([disk.path], intents, [spec('xfs')]);
    t.teardown(() => second.close());
    const [status] = (await until(second, ([one]) => one?.phase === 'failed')).values();
    t.is(status?.errorCode, 'ERR_VOLUME_CONTENT');
    t.true(await isMounted());
    if (ending === 'the node stops') {
      await second.close();
    } else {
      second.apply([]);
      await until(second, (all) => all.length === 0);
    }
    t.false(await isMounted());
  });
}
