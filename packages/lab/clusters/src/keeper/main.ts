/**
 * The background process of one cluster, `nodecore-cluster DIRECTORY CACHE`: it serves the cluster's network, keeps its
 * machines, and answers at `keeper.sock` of the directory. It outlives who started it. It begins when it is told to on its standard
 * input, and ends where nobody is there any more to tell it.
 */
import { readSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { basename, dirname } from 'node:path';

import { ClusterDirectory } from '../directory.ts';
import { Keeper } from './keeper.ts';
import { serve } from './server.ts';

process.title = 'nodecore-cluster';
// Who has started it writes down meanwhile that it is there. It has nothing else to do yet, and may stand still.
if (readSync(0, Buffer.alloc(1)) === 0) process.exit(1);
const [path = '', cache = ''] = process.argv.slice(2);
const directory = new ClusterDirectory(dirname(path), basename(path));
const keeper = new Keeper(directory, await directory.requirePlan(), cache, (line) => {
  console.log(`${new Date().toISOString()} ${line}`);
});
process.on('SIGTERM', () => {
  void keeper.close().finally(() => process.exit(0));
});
// It may be killed at any time, and never end by itself.
setImmediate(flushCompileCache);
await serve(keeper, directory.path);
process.exit(0);
