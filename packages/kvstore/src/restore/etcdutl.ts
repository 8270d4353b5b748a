import { execFile } from 'node:child_process';

import { KvstoreError } from '../errors.ts';

/** How etcdutl is called: by name when it is in the path. */
export type EtcdutlOptions = {
  readonly etcdutl?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** What it prints is a line of a log for each step. */
const mostOutputBytes = 16 << 20;

/**
 * Runs etcd's own tool for data directories.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_UNSUPPORTED` when there is none; `ERR_KVSTORE_FAILED` with its last words
 */
export function runEtcdutl(words: readonly string[], options: EtcdutlOptions): Promise<string> {
  const { etcdutl = 'etcdutl', signal } = options;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const done = (error: Error | null, stdout: string, stderr: string): void => {
    if (error === null) resolve(stdout);
    else if (signal?.aborted === true) reject(signal.reason);
    else if ('code' in error && error.code === 'ENOENT') reject(missing(etcdutl, error));
    else reject(new KvstoreError('ERR_KVSTORE_FAILED', etcdutl, lastWords(stderr), { cause: error }));
  };
  execFile(etcdutl, words, { signal, maxBuffer: mostOutputBytes }, done);
  return promise;
}

function missing(etcdutl: string, cause: Error): KvstoreError {
  const words = 'is not there; install it (Debian: etcd-client 3.5 or newer), or say where it is';
  return new KvstoreError('ERR_KVSTORE_UNSUPPORTED', etcdutl, words, { cause });
}

/** Errors are plain lines behind the log, which is JSON. */
function lastWords(stderr: string): string {
  const lines = stderr.trim().split('\n');
  return lines.findLast((line) => !line.startsWith('{')) ?? lines.at(-1) ?? '';
}
