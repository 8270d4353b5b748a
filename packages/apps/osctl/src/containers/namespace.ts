import { UsageError } from '@nodecore/cli';
import { type Command, Option } from 'commander';

/** What `--namespace` and `-k` say together. */
export type NamespaceFlags = { readonly namespace?: string; readonly orch?: true };

/** Adds `--namespace`, and `-k` of earlier versions. */
export function addNamespaceFlags(command: Command): void {
  command
    .addOption(
      new Option('--namespace <namespace>', 'whose containers (default: system)').choices([
        'system',
        'cri',
        'taloscontainers',
      ]),
    )
    .option('-k, --orch', 'deprecated: --namespace cri');
}

/** @throws {UsageError} when the flags say two things. */
export function namespaceOf({ namespace, orch }: NamespaceFlags): string {
  if (orch !== true) return namespace ?? 'system';
  if (namespace !== undefined && namespace !== 'cri')
    throw new UsageError(`--orch means --namespace cri, and --namespace says ${namespace}: use one of them`);
  return 'cri';
}

/** What users of `-k` are told, once. */
export const orchIsDeprecated = 'osctl: --orch is deprecated: use --namespace cri\n';
