import { parseServerEndpoint } from '@nodecore/api';
import { readNamedText, type Terminal, UsageError } from '@nodecore/cli';
import { RemoteClusters } from '@nodecore/clusters/remote';
import { Secret } from '@nodecore/sys';

import type { RemoteFlags } from '../cluster/elsewhere.ts';

/** The clusters of the computer that flags name. @throws {UsageError} for what is missing, before anything is dialled */
export async function openRemote(
  endpoint: string,
  flags: RemoteFlags,
  { env }: Pick<Terminal, 'env'>,
): Promise<RemoteClusters> {
  requireEndpoint(endpoint);
  const { remoteFingerprint: fingerprint, remoteCaFile, remoteTokenFile } = flags;
  if ((fingerprint === undefined) === (remoteCaFile === undefined))
    throw new UsageError(
      '--remote-endpoint: give --remote-fingerprint, which osctl remote-provision-launch printed, or --remote-ca-file',
    );
  const given =
    remoteTokenFile === undefined
      ? env['OSCTL_REMOTE_TOKEN']
      : await readNamedText(remoteTokenFile, '--remote-token-file');
  const token = given?.trim() ?? '';
  if (!/^[!-~]{16,512}$/u.test(token))
    throw new UsageError(
      '--remote-token-file, or $OSCTL_REMOTE_TOKEN: a token of 16 to 512 signs is expected',
    );
  const trust =
    fingerprint === undefined
      ? { ca: await readNamedText(remoteCaFile ?? '', '--remote-ca-file') }
      : { fingerprint };
  return new RemoteClusters({ endpoint, token: Secret.take(Buffer.from(token, 'latin1')), trust });
}

function requireEndpoint(text: string): void {
  try {
    // The port of a node is not that of such a server.
    if (parseServerEndpoint(text).path !== undefined || /:\d{1,5}$/u.test(text)) return;
  } catch (error) {
    throw new UsageError(`--remote-endpoint ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UsageError(`--remote-endpoint ${text}: host:port, or unix:/path`);
}
