import { type Terminal, UsageError } from '@nodecore/cli';
import { type Command, Option } from 'commander';

/** Which computer has the clusters, and how the two ends know each other. */
export type RemoteFlags = {
  readonly remoteEndpoint?: string;
  readonly remoteFingerprint?: string;
  readonly remoteCaFile?: string;
  readonly remoteTokenFile?: string;
};

/** Flags of commands that can be run by another computer. */
export function addRemoteFlags(command: Command): void {
  command
    .addOption(
      new Option(
        '--remote-endpoint <endpoint>',
        'the clusters of another computer, which runs osctl remote-provision-launch',
      ),
    )
    .option('--remote-fingerprint <fingerprint>', 'of its certificate, as it has printed it')
    .option('--remote-ca-file <file>', 'who vouches for its certificate, in place of a fingerprint')
    .option('--remote-token-file <file>', 'its token (default: $OSCTL_REMOTE_TOKEN)');
}

/** Runs a command on another computer where its flags say so. @returns whether they did */
export async function isElsewhere(command: Command, terminal: Terminal): Promise<boolean> {
  const flags = command.opts<RemoteFlags>();
  if (flags.remoteEndpoint === undefined) {
    for (const name of ['remoteFingerprint', 'remoteCaFile', 'remoteTokenFile'] as const)
      if (flags[name] !== undefined) throw new UsageError('--remote-…: give --remote-endpoint, too');
    return false;
  }
  const { runElsewhere } = await import('../remote/run-elsewhere.ts');
  await runElsewhere(command, flags.remoteEndpoint, terminal);
  return true;
}
