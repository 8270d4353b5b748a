import { ApplyMode, type ApplyConfigurationResponse } from '@nodecore/api';
import { everyNode } from '../nodes/every-node.ts';
import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import { Targets } from '../nodes/target.ts';
import { printable } from '../output/table.ts';
import { print, type Terminal } from '../terminal.ts';
import { readConfiguration } from './read.ts';
import { formatDiff } from './diff.ts';

export type ApplyRequest = {
  /** Path, or `-` for standard input. */
  readonly file: string;
  readonly mode: 'auto' | 'no-reboot' | 'staged' | 'try';
  readonly dryRun: boolean;
  readonly timeoutMs: number;
};

const modes: Readonly<Record<ApplyRequest['mode'], ApplyMode>> = {
  auto: ApplyMode.AUTO,
  'no-reboot': ApplyMode.NO_REBOOT,
  staged: ApplyMode.STAGED,
  try: ApplyMode.TRY,
};

/** Checks the configuration, then sends it to all nodes at once and prints what each says. */
export async function applyConfiguration(
  request: ApplyRequest,
  flags: GlobalFlags & MaintenanceFlags,
  terminal: Terminal,
): Promise<void> {
  const data = await readConfiguration(request.file, terminal);
  await using targets = await Targets.open(flags, terminal.env);
  const { results, throwFailures } = await everyNode(targets.all, ({ client, node }) =>
    client.applyConfiguration(
      {
        data,
        mode: modes[request.mode],
        dryRun: request.dryRun,
        ...(request.mode === 'try' ? { tryTimeoutMillis: request.timeoutMs } : {}),
      },
      { node, signal: terminal.signal },
    ),
  );
  for (const { target, result } of results) {
    for (const warning of result.warnings)
      terminal.error.write(`${target.name}: warning: ${printable(warning)}\n`);
    await print(terminal.out, textOf(target.name, result, request, terminal));
  }
  throwFailures();
}

function textOf(
  node: string,
  { diff, modeDetails }: ApplyConfigurationResponse,
  { dryRun }: ApplyRequest,
  { out }: Terminal,
): string {
  const details = `${node}: ${printable(modeDetails)}\n`;
  if (!dryRun) return details;
  const colour = 'isTTY' in out && out.isTTY === true;
  return `${details}${diff === '' ? `${node}: no changes\n` : formatDiff(diff, { colour })}`;
}
