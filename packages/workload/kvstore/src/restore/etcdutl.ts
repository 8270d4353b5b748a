import { execFile } from 'node:child_process';

import { programNotFound, tetheredCommand } from '@nodecore/sys';
import { onAbort } from '@nodecore/waiting';

import { KvstoreError } from '../errors.ts';
import { requirePath } from '../path.ts';

/** How etcdutl is called: by name when it is in the path. */
export type EtcdutlOptions = {
  readonly etcdutl?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** What it prints is a line of a log for each step. */
const maxOutputBytes = 16 << 20;

/**
 * Runs etcd's own tool for data directories. It ends with this process, whatever happens to it, and is gone when the promise
 * settles, an aborted one too: what it has written may be removed then.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_UNSUPPORTED` when there is none, or no setpriv; `ERR_KVSTORE_FAILED` with its last words
 */
export async function runEtcdutl(words: readonly string[], options: EtcdutlOptions): Promise<string> {
  const { etcdutl = 'etcdutl', signal } = options;
  signal?.throwIfAborted();
  for (const word of [etcdutl, ...words]) requirePath(word);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const done = (error: Error | null, stdout: string, stderr: string): void => {
    if (error === null) resolve(stdout);
    else if (signal?.aborted === true) reject(signal.reason);
    else if ('code' in error && error.code === 'ENOENT')
      reject(missing('setpriv', 'install util-linux', error));
    else if ('code' in error && error.code === programNotFound)
      reject(missing(etcdutl, installClient, error));
    else reject(new KvstoreError('ERR_KVSTORE_FAILED', etcdutl, lastWords(stderr), { cause: error }));
  };
  const [setpriv, ...tethered] = tetheredCommand([etcdutl, ...words]);
  // Given the signal, it would call back before the child is gone.
  const child = execFile(setpriv, tethered, { maxBuffer: maxOutputBytes }, done);
  using _listener = onAbort(signal, () => void child.kill('SIGKILL'));
  return await promise;
}

const installClient = 'install it (Debian: etcd-client 3.5 or newer), or say where it is';

function missing(program: string, next: string, cause: Error): KvstoreError {
  return new KvstoreError('ERR_KVSTORE_UNSUPPORTED', program, `is not there; ${next}`, { cause });
}

/**
 * What a program said that failed. Of a panic its first line says something, and the others where it was; an error is a plain
 * line behind the log, which is JSON.
 */
function lastWords(stderr: string): string {
  const lines = stderr.trim().split('\n');
  const panic = lines.find((line) => /^(?:panic|fatal error|runtime error): /.test(line));
  return panic ?? lines.findLast((line) => !line.startsWith('{')) ?? lines.at(-1) ?? '';
}
