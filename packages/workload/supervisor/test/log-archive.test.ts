import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import { Signal } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';

import { type BootLogPiece, type ReadBootsOptions, readBoots, type Service } from '../src/index.ts';
import { mostFormerBoots } from '../src/log-archive.ts';
import { filled, nameOf, segmentBytes, textOf } from './log-files.ts';
import { type Scene, scene } from './supervised.ts';

/** A service whose keeper has written what the test says, and a place for its logs. */
async function logged(t: ExecutionContext) {
  const one = await scene(t);
  const place = join(await temporaryDirectory(t), 'log', 'os');
  const home = join(one.directory, 'a');
  await mkdir(home);
  const service = one.supervisor.claim('a');
  const write = (start: number, text: string | Buffer): Promise<void> =>
    writeFile(join(home, nameOf(start)), text);
  return { ...one, place, home, service, write };
}

/** The same machine after a reboot: what was in memory is gone. */
async function rebooted(t: ExecutionContext, { supervisor, home }: Scene & { readonly home: string }) {
  await supervisor.fileLogs(undefined);
  await rm(home, { recursive: true });
  const next = await scene(t);
  const again = join(next.directory, 'a');
  await mkdir(again);
  return { ...next, home: again, service: next.supervisor.claim('a') };
}

async function boots(service: Service, bootId: string, options?: ReadBootsOptions) {
  const logs = { former: service.formerLogs, log: service.log, bootId };
  const pieces: BootLogPiece[] = await Array.fromAsync(readBoots(logs, options));
  return pieces.map(
    (piece) => `${piece.bootId} ${piece.offset} ${Buffer.from(piece.data).toString('latin1')}`,
  );
}

test('whole files are moved, the end of the newest is added, and it all reads as before', async (t) => {
  const { supervisor, place, home, service, write } = await logged(t);
  await write(0, filled(0));
  await write(segmentBytes, 'one\n');
  const before = await textOf(service.log);
  t.deepEqual([...(await supervisor.fileLogs({ directory: place, bootId: 'first' }))], []);
  t.deepEqual(await readdir(home), [nameOf(segmentBytes)]);
  const archive = join(place, 'a', '00000001-first');
  t.deepEqual((await readdir(archive)).toSorted(), [`${nameOf(0)}.zst`, nameOf(segmentBytes)]);
  t.is(await textOf(service.log), before);
  await write(segmentBytes, 'one\ntwo\n');
  service.printed.notify();
  t.is(await textOf(service.log), `${before}two\n`);
});

test('who follows reads on while what it reads is moved, and no byte comes twice', async (t) => {
  const { supervisor, place, service, write } = await logged(t);
  await write(0, filled(0));
  const [follow, stop] = [new Signal(), new AbortController()];
  const pieces = service.log.read({ follow, signal: stop.signal });
  t.is((await pieces.next()).value!.data.length, segmentBytes);
  const waiting = pieces.next();
  await write(segmentBytes, 'one\n');
  await supervisor.fileLogs({ directory: place, bootId: 'first' });
  follow.notify();
  t.like((await waiting).value, { offset: segmentBytes, lost: 0 });
  stop.abort();
  t.true((await pieces.next()).done);
});

test('a log outlives the boot, and is read across it: whole, its last lines, and from a place of either boot', async (t) => {
  const one = await logged(t);
  await one.write(0, 'one\ntwo\n');
  await one.supervisor.fileLogs({ directory: one.place, bootId: 'first' });
  const next = await rebooted(t, one);
  await writeFile(join(next.home, nameOf(0)), 'three\nfour\n');
  // Until there is a place all that is known is of this boot.
  t.deepEqual(await boots(next.service, 'second'), ['second 0 three\nfour\n']);
  await next.supervisor.fileLogs({ directory: one.place, bootId: 'second' });
  const read = (options?: ReadBootsOptions) => boots(next.service, 'second', options);
  t.deepEqual(await read(), ['first 0 one\ntwo\n', 'second 0 three\nfour\n']);
  t.deepEqual(await read({ tailLines: 1 }), ['second 6 four\n']);
  t.deepEqual(await read({ tailLines: 3 }), ['first 4 two\n', 'second 0 three\nfour\n']);
  t.deepEqual(await read({ tailLines: 0 }), []);
  t.deepEqual(await read({ tailLines: 9 }), await read());
  t.deepEqual(await read({ fromBoot: 'first', from: 4 }), ['first 4 two\n', 'second 0 three\nfour\n']);
  t.deepEqual(await read({ fromBoot: 'first', from: 8 }), ['second 0 three\nfour\n']);
  t.deepEqual(await read({ fromBoot: 'second', from: 6 }), ['second 6 four\n']);
  t.deepEqual(await read({ fromBoot: 'never', from: 6, tailLines: 1 }), await read());
});

test('another supervisor of the same boot goes on with the same log', async (t) => {
  const one = await logged(t);
  await one.write(0, filled(0));
  await one.write(segmentBytes, 'one\n');
  await one.supervisor.fileLogs({ directory: one.place, bootId: 'first' });
  const before = await textOf(one.service.log);
  await one.supervisor[Symbol.asyncDispose]();
  const { supervisor } = await scene(t, { directory: one.directory });
  const service = supervisor.claim('a');
  await one.write(segmentBytes, 'one\ntwo\n');
  await supervisor.fileLogs({ directory: one.place, bootId: 'first' });
  t.is(await textOf(service.log), `${before}two\n`);
  t.deepEqual(await readdir(join(one.place, 'a')), ['00000001-first']);
  t.deepEqual(service.formerLogs, []);
});

test('the boots that are kept are bounded, and so is what each of them keeps', async (t) => {
  let one = { ...(await logged(t)) };
  const { place } = one;
  for (let boot = 1; boot <= mostFormerBoots + 2; boot += 1) {
    await writeFile(join(one.home, nameOf(0)), `${boot}\n`);
    await one.supervisor.fileLogs({ directory: place, bootId: `boot-${boot}` });
    one = { ...one, ...(await rebooted(t, one)) };
  }
  for (let file = 0; file < 20; file += 1) {
    await writeFile(join(one.home, nameOf(file * segmentBytes)), `${file}\n`.padEnd(segmentBytes, 'x'));
    one.service.printed.notify();
    await one.supervisor.fileLogs({ directory: place, bootId: 'last' });
    await one.supervisor.fileLogs(undefined); // as if it had not been mounted
  }
  await one.supervisor.fileLogs({ directory: place, bootId: 'last' });
  t.deepEqual(
    one.service.formerLogs.map(({ bootId }) => bootId),
    Array.from({ length: mostFormerBoots }, (_, index) => `boot-${index + 3}`),
  );
  t.is((await readdir(join(place, 'a'))).length, mostFormerBoots + 1);
  const files = await readdir(join(place, 'a', '00000007-last'));
  t.is(new Set(files.map((name) => name.slice(0, nameOf(0).length))).size, 16);
  t.true((await textOf(one.service.log)).length <= 1 << 20);
});

test('what a power cut has torn is counted as lost, and ends nothing', async (t) => {
  const { supervisor, place, service, write } = await logged(t);
  await write(0, filled(0));
  await write(segmentBytes, filled(1));
  await write(2 * segmentBytes, 'end\n');
  await supervisor.fileLogs({ directory: place, bootId: 'first' });
  for (const size of [1000, 0]) {
    await truncate(join(place, 'a', '00000001-first', `${nameOf(segmentBytes)}.zst`), size);
    const pieces = await Array.fromAsync(service.log.read());
    t.deepEqual(
      pieces.map(({ offset, lost, data }) => [offset, lost, data.length]),
      [
        [0, 0, segmentBytes],
        [2 * segmentBytes, segmentBytes, 4],
      ],
    );
  }
});

test('a place that can not be written to loses nothing, and is told', async (t) => {
  const { supervisor, place, service, write } = await logged(t);
  await write(0, 'one\n');
  await mkdir(join(place, '..'), { recursive: true });
  await writeFile(place, 'a file');
  const failures = await supervisor.fileLogs({ directory: place, bootId: 'first' });
  t.like(failures.get('a'), { code: 'ENOTDIR' });
  t.is(await textOf(service.log), 'one\n');
  await rm(place);
  t.is((await supervisor.fileLogs({ directory: place, bootId: 'first' })).size, 0);
  t.deepEqual(await readdir(join(place, 'a', '00000001-first')), [nameOf(0)]);
});
