import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { osctl, type Outcome } from './command-line.ts';

export type RemoteServer = {
  readonly endpoint: string;
  readonly token: string;
  readonly fingerprint: string;
  /** Its `--state-dir`. */
  readonly directory: string;
  /** What leads `osctl cluster` to it. */
  readonly flags: readonly string[];
  readonly said: () => string;
  /** Resolves with how it ended. */
  readonly stop: () => Promise<Outcome>;
};

/** `osctl remote-provision-launch` in this process, with credentials that it makes. @param listen `unix:` for a socket */
export async function launchServer(t: ExecutionContext, listen = '127.0.0.1:0'): Promise<RemoteServer> {
  const home = await temporaryDirectory(t);
  const directory = join(home, 'state');
  const stopping = new AbortController();
  const ready = Promise.withResolvers<string>();
  let said = '';
  const at = listen === 'unix:' ? `unix:${join(home, 'clusters.sock')}` : listen;
  const running = osctl(['remote-provision-launch', '--listen', at, '--state-dir', directory], {
    signal: stopping.signal,
    onError: (error) => {
      said = error;
      if (error.includes('keep it in a file')) ready.resolve(error);
    },
  });
  const early = running.then(({ error }) => Promise.reject(new Error(error)));
  early.catch(() => {});
  const text = await Promise.race([ready.promise, early]);
  const [, endpoint = '', fingerprint = '', token = ''] =
    /at (\S+)\nfingerprint (\S+)\ntoken (\S+)\n/.exec(text) ?? [];
  const tokenFile = join(home, 'token');
  await writeFile(tokenFile, `${token}\n`, { mode: 0o600 });
  const stop = (): Promise<Outcome> => {
    stopping.abort(new Error('interrupted'));
    return running;
  };
  t.teardown(stop);
  const flags = [
    `--remote-endpoint=${endpoint}`,
    `--remote-fingerprint=${fingerprint}`,
    `--remote-token-file=${tokenFile}`,
  ];
  return { endpoint, token, fingerprint, directory, flags, said: () => said, stop };
}
