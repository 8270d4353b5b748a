import { rmSync, writeFileSync } from 'node:fs';
import { appendFile, copyFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';

import { ClusterDirectory, earlierLogs } from '@nodecore/clusters';
import test, { type ExecutionContext } from 'ava';

import { putAwayLog, rotateLog } from '../../../lab/clusters/src/rotate-log.ts';
import { Console } from '../src/cluster/console.ts';
import { sayTo } from '../src/cluster/words.ts';
import { osctl } from './command-line.ts';
import { plannedCluster } from './planned-cluster.ts';

async function console(t: ExecutionContext, said = '') {
  const { state, first } = await plannedCluster(t, said);
  const directory = new ClusterDirectory(state, 'example');
  const path = directory.console(first);
  const followed = new Console(path, first);
  const lines = async (): Promise<readonly string[]> => {
    const all: string[] = [];
    for (;;) {
      const more = await followed.more(false);
      if (more.length === 0) return all;
      all.push(...more);
    }
  };
  return {
    state,
    first,
    directory,
    path,
    followed,
    lines,
    say: async (text: string) => await appendFile(path, text),
  };
}

test('who follows a console reads the end of a start, and then the whole next one', async (t) => {
  const { path, followed, lines, say } = await console(t);
  t.deepEqual(await lines(), []);
  await say('one\nt');
  t.deepEqual(await lines(), ['one']);
  await say('wo\nthree\nwas cu');
  await putAwayLog(path);
  await say(`four is longer than all that was before\nfive\ns`);
  t.deepEqual(await lines(), ['two', 'three', 'was cu', 'four is longer than all that was before', 'five']);
  await putAwayLog(path);
  t.deepEqual(await lines(), ['s'], 'nothing is there yet');
  for (const text of ['six', 'seven']) {
    await say(`${text}\n`);
    await putAwayLog(path);
  }
  await say('eight\n');
  t.deepEqual(await lines(), ['six', 'seven', 'eight']);
  t.false(followed.takeGap());
  for (const text of ['nine', 'ten', 'eleven', 'twelve', 'thirteen']) {
    await say(`${text}\n`);
    await putAwayLog(path);
  }
  t.deepEqual(await lines(), ['eleven', 'twelve', 'thirteen'], 'more are not kept');
  t.true(followed.takeGap());
  await say('fourteen\n');
  t.deepEqual(await lines(), ['fourteen']);
});

test('who follows a console that is full reads on in what goes on with it', async (t) => {
  const { path, lines, say } = await console(t, 'before\n');
  await putAwayLog(path);
  await say('one\nt');
  t.deepEqual(await lines(), ['one'], 'what was put away before stays there');
  await say('wo\nthr\u00e9'.slice(0, -1));
  const { ino } = await stat(path);
  await rotateLog(path, 1);
  await say('ee, which is longer than all that was before\n');
  t.is((await stat(path)).ino, ino);
  t.deepEqual(await lines(), ['two', 'three, which is longer than all that was before']);
  await say('four\n');
  await rotateLog(path, 1);
  await say('five\n');
  await putAwayLog(path);
  await say('six\n');
  t.deepEqual(await lines(), ['four', 'five', 'six']);
  const letter = Buffer.from('\u00e9\n');
  await appendFile(path, letter.subarray(0, 1));
  t.deepEqual(await lines(), []);
  await appendFile(path, letter.subarray(1));
  t.deepEqual(await lines(), ['\u00e9']);
});

for (const before of ['', 'put away before\n'])
  test(`who looks away while a console is filled as often as is kept reads each line once, after ${before.length} bytes of before`, async (t) => {
    const { path, followed, lines, say } = await console(t, before);
    await putAwayLog(path);
    await say('one\nt');
    t.deepEqual(await lines(), ['one']);
    for (const text of ['wo\nthr', 'ee\nfour\n', 'five\ns']) {
      await say(text);
      await rotateLog(path, 1);
    }
    await say('ix\n');
    t.deepEqual(await lines(), ['two', 'three', 'four', 'five', 'six']);
    t.false(followed.takeGap());
    for (const text of ['seven\n', 'eight\n', 'nine\n']) {
      await say(text);
      await putAwayLog(path);
    }
    await say('ten\n');
    t.deepEqual(await lines(), ['seven', 'eight', 'nine', 'ten']);
    t.false(followed.takeGap());
  });

test('who looks away while a console is filled more often than is kept reads what is left, and is told', async (t) => {
  const { path, followed, lines, say } = await console(t);
  await say('one, which is longer than all that comes behind\nt');
  t.is((await lines()).length, 1);
  for (const text of ['wo\nthr', 'ee\nfour\n', 'five\n', 'six\ns']) {
    await say(text);
    await rotateLog(path, 1);
  }
  await say('even\n');
  t.deepEqual(await lines(), ['t', 'ee', 'four', 'five', 'six', 'seven']);
  t.true(followed.takeGap());
  t.false(followed.takeGap());
  await say('eight\n');
  t.deepEqual(await lines(), ['eight']);
  t.false(followed.takeGap());
});

test('who looks away over more starts than are kept is told', async (t) => {
  const { state, first, path, directory } = await console(t, 'one\n');
  let isPutAway = false;
  const onOutput = (out: string): void => {
    if (out.endsWith('five\n')) return rmSync(directory.path, { recursive: true, force: true });
    if (isPutAway) return;
    isPutAway = true;
    rmSync(path);
    for (const [index, text] of ['five\n', 'four\n', 'three\n'].entries())
      writeFileSync(earlierLogs(path)[index] ?? '', text);
  };
  const logs = ['cluster', 'logs', '-f', '--state', state, '--name', 'example', first.name];
  const { out, error } = await osctl(logs, { onOutput, signal: AbortSignal.timeout(60_000) });
  t.is(out, 'one\nthree\nfour\nfive\n');
  t.is(
    error,
    `${first.name}: lines may be missing here: they came faster than they are kept\ncluster example is gone\n`,
  );
});

test('a shorter start that begins as the one that was read is another one', async (t) => {
  const { path, followed, lines, say } = await console(t);
  t.deepEqual(await lines(), []);
  await say('the kernel begins\nand goes on\n');
  t.deepEqual(await lines(), ['the kernel begins', 'and goes on']);
  for (let start = 0; start < 5; start += 1) {
    await putAwayLog(path);
    await say('the kernel begins\n');
  }
  t.deepEqual(await lines(), Array(4).fill('the kernel begins'), 'three that are kept, and the one of now');
  t.true(followed.takeGap());
});

test('who follows a console whose keeper was killed while it put that away reads it once, and goes on', async (t) => {
  const { path, lines, say } = await console(t);
  t.deepEqual(await lines(), []);
  await say('one\n');
  t.deepEqual(await lines(), ['one']);
  await say('two\n');
  const before = await lines();
  await copyFile(path, `${path}.part`);
  t.deepEqual([...before, ...(await lines())], ['two'], 'the copy has no more than the console');
  await truncate(path);
  for (let look = 0; look < 3; look += 1) t.deepEqual(await lines(), []);
  await say('3\n');
  t.deepEqual(await lines(), ['3']);
  await rotateLog(path); // by the next keeper
  t.deepEqual(await lines(), []);
  await say('four\n');
  t.deepEqual(await lines(), ['four']);
});

test('what machines send of their services is read over the end of a file, and a file that is emptied is begun anew', async (t) => {
  const { directory, first } = await console(t);
  const path = directory.services(first);
  const followed = new Console(path, first);
  for (const text of ['one', 'two', 'three']) {
    await appendFile(path, `${text} of some length\n`);
    t.deepEqual(await followed.more(false), [`${text} of some length`]);
    await appendFile(path, `${text} again\n`);
    await rename(path, `${path}.1`);
    await appendFile(path, `${text} behind it\n`);
    t.deepEqual(await followed.more(false), [`${text} again`]);
    t.deepEqual(await followed.more(false), [`${text} behind it`]);
  }
  await writeFile(path, 'x\n');
  t.deepEqual(await followed.more(false), [], 'it may be about to get another name');
  t.deepEqual(await followed.more(false), ['x']);
});

test('logs are followed until the cluster is gone', async (t) => {
  const { state, directory, first } = await console(t, 'one\nno end');
  const logs = ['cluster', 'logs', '-f', '--state', state, '--name', 'example', first.name];
  const gone = (): void => void rm(directory.path, { recursive: true, force: true });
  const { code, out, error } = await osctl(logs, { onOutput: gone, signal: AbortSignal.timeout(60_000) });
  t.deepEqual([code, out, error], [0, 'one\nno end\n', 'cluster example is gone\n']);
});

test('what a machine says moves no cursor of people, and programs get it as it is', async (t) => {
  const said =
    '\u001b[2J\u001b[31mred\u001b[0m\tand\u0007\r\r\n\u001b]0;title\u0007x\u202ey\r\nend\r\u001b[0m';
  const { state, first, directory } = await console(t, said);
  const logs = ['cluster', 'logs', '--state', state, '--name', 'example'];
  t.is((await osctl([...logs, first.name])).out, 'red\tand?\nx?y\nend\n');
  const named = await osctl(logs);
  t.is(named.out, ['red\tand?', 'x?y', 'end'].map((line) => `[${first.name}] ${line}\n`).join(''));
  const json = await osctl([...logs, '-o', 'json']);
  const [line] = json.out.split('\n');
  t.is((JSON.parse(line ?? '') as { line: string }).line, '\u001b[2J\u001b[31mred\u001b[0m\tand\u0007');
  await writeFile(directory.services(first), '{"msg":"\u009b2Jx"}\n');
  t.is((await osctl([...logs, '--services', first.name])).out, '{"msg":"x"}\n');
  const error = new PassThrough({ encoding: 'utf8' });
  sayTo({ error })('node: \u001b[2Jtext\nof another line');
  t.is(error.read(), 'node: ?[2Jtext?of another line\n');
});
