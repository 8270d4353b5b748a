import type { KeyServer, KeyServerOptions } from './server/key-server.ts';

/**
 * Starts a key server in this process. What it needs is loaded now, so that a client never loads it.
 *
 * @throws {KeyServerError} when it can't be served as the options say; nothing is left open.
 */
export async function startKeyServer(options: KeyServerOptions): Promise<KeyServer> {
  const { KeyServer } = await import('./server/key-server.ts');
  return await KeyServer.start(options);
}
