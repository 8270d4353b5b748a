/**
 * Runs in a machine whose device is recorded: makes a volume on it and grows it, with a mark before and after each. The
 * jobs come on standard input, a JSON list of what to make and what that is to become; their disk is put in here, for
 * the life cycle takes no mapping for a disk: a loop device, which passes on flushes and discards.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { markCommand, Recorder } from '../../src/log-writes/index.ts';
import { fileIn, keptBytes, onDisk, type VolumeStory } from '../volume-story.ts';
import { VolumeJobRun } from '../volume-process.ts';

async function run(program: string, ...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(program, args)).stdout.trim();
}

const mark = (name: string): Promise<string> => run('sh', '-c', markCommand, 'sh', name);
const story = JSON.parse(await text(process.stdin)) as VolumeStory;
const disk = await run('losetup', '--find', '--show', '--partscan', '--direct-io=on', Recorder.path);
// What it was given belongs to this disk alone: the next one is another, under the same name.
const directory = await mkdtemp('/tmp/recorded-');
const small = onDisk(disk, directory, story, story.firstMib);
const large = onDisk(disk, directory, story, story.laterMib);
await mkdir(small.intents, { recursive: true });
await mark('begin:make');
{
  await using making = new VolumeJobRun(small);
  await making.ready();
}
await mark('end:make');
await writeFile(fileIn(small), keptBytes, { flush: true });
await run('sync');
await mark('begin:grow');
const growing = new VolumeJobRun(large);
await growing.ready();
await mark('end:grow');
await growing.manager.close();
await growing[Symbol.asyncDispose]();
await run('losetup', '--detach', disk);
