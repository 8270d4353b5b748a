/**
 * Makes volumes until it is killed. Says `loaded`, takes a job, JSON in one line of standard input, and says `ready` when
 * every volume is in use.
 */
import { createInterface } from 'node:readline';

import { type VolumeJob, VolumeJobRun } from '../volume-process.ts';

console.log('loaded');
for await (const line of createInterface({ input: process.stdin })) {
  const run = new VolumeJobRun(JSON.parse(line) as VolumeJob);
  await run.ready();
  console.log('ready');
}
