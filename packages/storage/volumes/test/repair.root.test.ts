import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { manage, MemoryIntents, reach } from './real.ts';
import { userSpec } from './specs.ts';

const mebibyte = 1 << 20;
const rooted = testWith(root, program('mkfs.ext4'), program('e2fsck'), program('debugfs'));

rooted(
  'a damaged ext4 is repaired before its mount; one that only loss would repair is left alone',
  async (t) => {
    const target = join(await temporaryDirectory(t), 'data');
    const disk = await loopDevice(t, { sizeBytes: 700 * mebibyte });
    const spec = userSpec('data', `disk.dev_path == "${disk.path}"`);
    const ext4 = { ...spec.filesystem, type: 'ext4', label: 'data', projectQuotaSupport: false } as const;
    const volume = { ...spec, filesystem: ext4, mount: { ...spec.mount, target } } as typeof spec;
    const intents = new MemoryIntents();
    const first = manage([disk.path], intents, [volume]);
    t.teardown(() => first.close());
    const made = (await reach(first, 'ready')).get('u-data');
    t.is(made?.filesystemCheck, undefined);
    await writeFile(join(target, 'file'), 'kept');
    await first.close();
    const partition = made?.location ?? '';

    await output(['debugfs', '-w', '-R', 'ssv free_blocks_count 1', partition]);
    await output(['debugfs', '-w', '-R', 'ssv state 2', partition]);
    const second = manage([disk.path], intents, [volume]);
    t.teardown(() => second.close());
    const repaired = (await reach(second, 'ready')).get('u-data');
    t.is(repaired?.filesystemCheck?.result, 'repaired');
    t.is(await readFile(join(target, 'file'), 'utf8'), 'kept');
    await second.close();

    await output(['debugfs', '-w', '-R', 'clri <2>', partition]);
    const third = manage([disk.path], intents, [volume]);
    t.teardown(() => third.close());
    const lost = (await reach(third, 'failed')).get('u-data');
    t.like(lost, { failedPhase: 'prepared', errorCode: 'ERR_VOLUME_DAMAGED', permanence: 'needs-operator' });
    t.regex(lost?.errorMessage ?? '', /e2fsck -n .*Root inode is not a directory/);
  },
);
