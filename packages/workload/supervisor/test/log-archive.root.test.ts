import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { command, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { LogArchive } from '../src/log-archive.ts';
import { LogRing } from '../src/log-ring.ts';
import { filled, nameOf, segmentBytes, textOf } from './log-files.ts';

const rooted = testWith(root, program('mount'));

rooted('a full disk loses the oldest of its logs, and nothing of what the keeper has', async (t) => {
  const place = await temporaryDirectory(t);
  await command(['mount', '-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', place]);
  t.teardown(() => command(['umount', place]));
  const home = join(await temporaryDirectory(t), 'service');
  await mkdir(home);
  const former = join(place, 'a', '00000001-before');
  await mkdir(former, { recursive: true });
  await writeFile(join(former, nameOf(0)), filled(0));
  const archive = await LogArchive.open({ directory: place, bootId: 'now' }, 'a');
  const log = new LogRing(home);
  log.segments.archive = archive.directory;
  for (let file = 0; file < 12; file += 1) {
    await writeFile(join(home, nameOf(file * segmentBytes)), filled(file));
    await archive.take(log.segments);
  }
  t.deepEqual(archive.former, []);
  t.deepEqual(await readdir(join(place, 'a')), ['00000002-now']);
  const kept = await textOf(log);
  t.true(kept.length >= 5 * segmentBytes, String(kept.length));
  t.true(kept.length < 12 * segmentBytes);
  t.true(
    Buffer.concat(Array.from({ length: 12 }, (_, file) => filled(file)))
      .toString('latin1')
      .endsWith(kept),
  );
  // Nothing but what somebody else has is left there: what was printed stays where it is, and comes later.
  await rm(join(place, 'a'), { recursive: true });
  await rm(home, { recursive: true });
  await mkdir(home);
  await writeFile(join(home, nameOf(11 * segmentBytes)), filled(11));
  const other = await LogArchive.open({ directory: place, bootId: 'now' }, 'a');
  await command(['dd', 'if=/dev/zero', `of=${join(place, 'filler')}`, 'bs=4k']).catch(() => {});
  await writeFile(join(home, nameOf(12 * segmentBytes)), 'last\n');
  await t.throwsAsync(other.take(log.segments), { code: 'ENOSPC' });
  t.true((await textOf(log)).endsWith('last\n'));
  await rm(join(place, 'filler'));
  await other.take(log.segments);
  t.deepEqual(await readdir(home), [nameOf(12 * segmentBytes)]);
  t.true((await textOf(log)).endsWith('last\n'));
});
