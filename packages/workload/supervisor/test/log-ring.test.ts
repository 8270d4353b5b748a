import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import { Signal } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';

import { LogRing, type ReadLogOptions } from '../src/index.ts';
import { printedBy, scene, until } from './supervised.ts';

const segmentBytes = 64 << 10;

function nameOf(start: number): string {
  return `log.${String(start).padStart(20, '0')}`;
}

/** A log as a keeper leaves it: whole files of lines of 64 bytes, and a last one. */
async function written(t: ExecutionContext, files: number, last = 'end\n') {
  const directory = join(await temporaryDirectory(t), 'service');
  await mkdir(directory);
  let text = '';
  for (let file = 0; file < files; file++) {
    const lines = Array.from({ length: 1024 }, (_, line) => `${file} ${line}`.padEnd(63, '.') + '\n').join(
      '',
    );
    await writeFile(join(directory, nameOf(file * segmentBytes)), lines);
    text += lines;
  }
  await writeFile(join(directory, nameOf(files * segmentBytes)), last);
  return { directory, log: new LogRing(directory), text: text + last };
}

async function textOf(log: LogRing, options?: ReadLogOptions): Promise<string> {
  const pieces = await Array.fromAsync(log.read(options));
  return Buffer.concat(pieces.map(({ data }) => data)).toString();
}

test('lines from the end are counted across files, and one without its end is a line', async (t) => {
  const { log, text } = await written(t, 3, 'one\ntwo');
  const lines = text.split('\n');
  t.is(await textOf(log), text);
  t.is(await textOf(log, { tailLines: 0 }), '');
  for (const tailLines of [1, 2, 3, 100, 1026, 3000])
    t.is(await textOf(log, { tailLines }), lines.slice(-tailLines).join('\n'), String(tailLines));
  t.is(await textOf(log, { tailLines: 5000 }), text);
  t.is(await log.lastLine(), 'two');
});

test('compressed pieces read as they were, and take a part of the room', async (t) => {
  const { log, text, directory } = await written(t, 4);
  await log.compact();
  await log.compact();
  const names = (await readdir(directory)).toSorted();
  t.deepEqual(names, [
    ...[0, 1, 2, 3].map((file) => `${nameOf(file * segmentBytes)}.zst`),
    nameOf(4 * segmentBytes),
  ]);
  t.is(await textOf(log), text);
  t.is(await textOf(log, { tailLines: 1500 }), text.split('\n').slice(-1501).join('\n'));
});

test('a piece that was compressed while it was dropped is read by nobody, and goes', async (t) => {
  const { log, text, directory } = await written(t, 1);
  await log.compact();
  await writeFile(join(directory, nameOf(20 * segmentBytes)), text);
  t.is(await textOf(log), text);
  await log.compact();
  t.deepEqual((await readdir(directory)).toSorted(), [nameOf(20 * segmentBytes)]);
});

test('who follows reads on across a new file, and is told what was dropped before it could be read', async (t) => {
  const { log, directory } = await written(t, 1, 'end\n');
  const [follow, stop] = [new Signal(), new AbortController()];
  const pieces = log.read({ tailLines: 1, follow, signal: stop.signal });
  t.is(Buffer.from((await pieces.next()).value!.data).toString(), 'end\n');
  const waiting = pieces.next();
  const size = 'end\n'.length;
  await writeFile(join(directory, nameOf(segmentBytes)), 'end\nmore\n');
  await writeFile(join(directory, nameOf(segmentBytes + size + 5)), 'next\n');
  follow.notify();
  t.is(Buffer.from((await waiting).value!.data).toString(), 'more\n');
  t.like((await pieces.next()).value, { lost: 0, data: { length: 5 } });
  const later = pieces.next();
  for (const name of await readdir(directory)) await rm(join(directory, name));
  await writeFile(join(directory, nameOf(10 * segmentBytes)), 'late\n');
  follow.notify();
  const { value } = await later;
  t.is(Buffer.from(value!.data).toString(), 'late\n');
  t.is(value!.lost, 10 * segmentBytes - (segmentBytes + size + 5 + 5));
  const last = pieces.next();
  stop.abort();
  t.true((await last).done);
});

test('a flood leaves a mebibyte, its end, and a keeper that goes on', async (t) => {
  const one = await scene(t);
  const flood = 'head -c 50000000 /dev/zero | tr "\\0" x; echo; echo last; exec sleep 1000';
  await one.supervisor.define({ id: 'a', program: { argv: ['sh', '-c', flood] } });
  await until(one, 'a', ({ state }) => state === 'Running');
  const { log, printed } = one.supervisor.get('a');
  const stop = new AbortController();
  let [end, last] = [0, ''];
  for await (const { offset, data, lost } of log.read({ follow: printed, signal: stop.signal })) {
    if (end > 0) t.is(offset, end + lost);
    end = offset + data.length;
    last = Buffer.from(data.subarray(-6)).toString();
    if (last.endsWith('last\n')) stop.abort();
  }
  t.is(end, 50_000_006);
  t.is(last, '\nlast\n');
  t.true((await printedBy(one, 'a')).length <= 1 << 20);
});

test('bytes are what they were, whatever they are', async (t) => {
  const one = await scene(t);
  await one.supervisor.define({
    id: 'a',
    program: { argv: ['sh', '-c', `printf 'a\\0\\377\\033[2Jb'`] },
    restart: 'once',
  });
  await until(one, 'a', ({ state }) => state === 'Finished');
  const [piece] = await Array.fromAsync(one.supervisor.get('a').log.read());
  t.deepEqual(Buffer.from(piece!.data), Buffer.from('61 00 ff 1b 5b 32 4a 62'.replaceAll(' ', ''), 'hex'));
});
