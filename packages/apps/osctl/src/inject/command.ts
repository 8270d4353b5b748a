import { listOption, type Terminal } from '@nodecore/cli';
import type { Command } from 'commander';

/** `osctl inject` changes manifests of an orchestrator; no node is asked. */
export function configure(command: Command, terminal: Terminal): void {
  command.description('Adds to manifests of an orchestrator what pods need to call nodes.');
  const account = command
    .command('serviceaccount')
    .alias('sa')
    .description(
      'Prints manifests with a service account for each workload, which its pods find a client config of in /var/run/secrets/nodecore.',
    )
    .requiredOption('-f, --file <file>', 'manifests in YAML; -: standard input')
    .addOption(listOption('-r, --roles <roles>', 'what the pods may (default: os:reader)'))
    .addHelpText(
      'after',
      `
A file that was injected into is only given other roles. Comments stay.

Examples:
  osctl inject serviceaccount -f deployment.yaml > injected.yaml
  osctl inject serviceaccount -f - -r os:reader,os:kvstore:backup < cronjob.yaml`,
    );
  account.action(async (flags: { file: string; roles?: readonly string[] }) => {
    const { injectServiceAccounts } = await import('./inject.ts');
    await injectServiceAccounts({ roles: ['os:reader'], ...flags }, terminal);
  });
}
