/**
 * The thread that writes: it opens the file, makes or checks its tables, and commits what it is sent. Each commit waits for
 * the disk, which may take tens of milliseconds; nobody else waits with it.
 */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

import { Commits } from './commits.ts';
import { storeError } from './errors.ts';
import { type FromThread, sendError, type ThreadData, type ToThread } from './messages.ts';
import { Rows } from './rows.ts';
import { prepareSchema } from './schema.ts';

const { path, limits, sealing } = workerData as ThreadData;
const port = parentPort;
if (port === null) throw new TypeError('not a thread');

const say = (message: FromThread): void => port.postMessage(message);
let database: DatabaseSync | undefined;
try {
  database = new DatabaseSync(path);
  prepareSchema(database, path, sealing);
  const commits = new Commits(database, path, limits, Rows.of(database, path, sealing));
  say({ opened: true });
  port.on('message', (message: ToThread) => {
    if ('requests' in message) return say(commits.write(message.requests));
    database?.close();
    port.close();
  });
} catch (error) {
  database?.close();
  say({ failure: sendError(storeError(path, error)) });
}
