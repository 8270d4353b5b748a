import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { construction, list, partitions } from '@nodecore/block';
import {
  type LoopDevice,
  loopDevice,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';

import type { IntentRecord } from '../src/index.ts';
import { identityOf } from '../src/intents/intent.ts';
import { manage, MemoryIntents, reach, until } from './real.ts';
import { diskSpec, type Mounted, userSpec } from './specs.ts';

const mib = 1 << 20;
const sizeBytes = 400 * mib;
const rooted = testWith(root, program('mkfs.xfs'), program('mkfs.ext4'), program('sfdisk'));

function below(mountRoot: string, spec: Mounted): Mounted {
  return { ...spec, mount: { ...spec.mount, target: join(mountRoot, spec.mount.target) } };
}

async function digest({ file }: LoopDevice): Promise<string> {
  await output(['sync']);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function begin(file: string, bytes: Buffer): Promise<void> {
  await using handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, 0);
  await handle.sync();
}

const on = ({ path }: LoopDevice): string => `disk.dev_path == "${path}"`;

/** An agent that is killed as soon as its record of a disk is durable. */
class LastRecord extends MemoryIntents {
  readonly written = Promise.withResolvers<IntentRecord>();

  override async put(record: IntentRecord): Promise<void> {
    await super.put(record);
    this.written.resolve(record);
    throw new Error('killed');
  }
}

rooted(
  'a disk that takes the place of one that was begun keeps every byte; the one that was begun is made',
  async (t) => {
    const mountRoot = await temporaryDirectory(t);
    const disk = await loopDevice(t, { sizeBytes });
    const spec = below(mountRoot, diskSpec('db', on(disk)));
    const dying = new LastRecord();
    const first = manage([disk.path], dying, [spec]);
    const record = await dying.written.promise;
    await first.stop();
    t.like(record, { phase: 'constructing', type: 'disk', disk: { wwid: '', serial: '' } });

    // As far as a kill may have come: the mark, and a torn beginning.
    const mark = { volumeId: spec.id, nonce: record.nonce ?? '' };
    await construction.begin(disk.path, { mark });
    const begun = join(await temporaryDirectory(t), 'begun.img');
    await output(['sync']);
    await copyFile(disk.file, begun);
    await begin(disk.file, randomBytes(64 * mib));
    await output([
      'dd',
      'if=/dev/zero',
      `of=${disk.path}`,
      'bs=1M',
      'seek=64',
      'status=none',
      `count=${sizeBytes / mib - 64}`,
    ]);
    const before = await digest(disk);
    const intents = new MemoryIntents();
    intents.records.set(spec.id, record);
    const second = manage([disk.path], intents, [spec]);
    t.teardown(() => second.stop());
    const failed = await until(second, (all) => all.every(({ phase }) => phase === 'failed'));
    t.like(failed.get(spec.id), { errorCode: 'ERR_VOLUME_CONTENT', permanence: 'needs-operator' });
    t.regex(failed.get(spec.id)?.errorMessage ?? '', /does not carry its mark/);
    second.apply([]);
    await until(second, (all) => all.length === 0);
    await second.stop();
    t.is(await digest(disk), before);
    await disk.detach();

    await begin(begun, randomBytes(mib)); // torn
    const back = await loopDevice(t, { file: begun });
    const identity = (await list()).disks.find(({ devPath }) => devPath === back.path);
    intents.records.set(spec.id, { ...record, ...(identity && { disk: identityOf(identity) }) });
    const third = manage([back.path], intents, [below(mountRoot, diskSpec('db', on(back)))]);
    t.teardown(() => third.close());
    await reach(third, 'ready');
    t.false(await construction.isMarked(back.path, mark));
    await third.close();
  },
);

rooted('a partition of somebody else with our label and our attribute bit keeps every byte', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await loopDevice(t, { sizeBytes });
  await output(['sfdisk', '--quiet', disk.path], {
    input: 'label: gpt\nstart=1MiB, size=300MiB, name=u-bit56, attrs="GUID:56"\n',
  });
  await partitions.announce(disk.path);
  for (const make of [
    ['mkfs.ext4', '-q', `${disk.path}p1`],
    ['mkfs.ext4', '-q', '-F', '-L', 'u-bit56', `${disk.path}p1`],
    ['dd', 'if=/dev/urandom', `of=${disk.path}p1`, 'bs=1M', 'count=10', 'conv=fsync', 'status=none'],
  ] as const) {
    await output(make);
    const before = await digest(disk);
    const spec = below(mountRoot, userSpec('bit56', on(disk)));
    const manager = manage([disk.path], new MemoryIntents(), [spec]);
    t.teardown(() => manager.stop());
    const failed = await until(manager, (all) => all.every(({ phase }) => phase === 'failed'));
    t.is(failed.get(spec.id)?.errorCode, 'ERR_VOLUME_CONTENT');
    await manager.stop();
    t.is(await digest(disk), before, make.join(' '));
  }
});
