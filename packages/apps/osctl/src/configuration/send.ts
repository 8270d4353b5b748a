import { ApplyMode, type ApplyConfigurationResponse } from '@nodecore/api/machine';

import { type Format, formatObjects, print, printable, type Terminal } from '@nodecore/cli';
import type { Target } from '../nodes/target.ts';
import { formatDiff } from './diff.ts';
import { type Warning, warningLines } from './warnings.ts';

/** How a configuration is to be taken. */
export type ApplyFlags = {
  readonly mode: 'auto' | 'no-reboot' | 'staged' | 'try';
  readonly dryRun: boolean;
  /** Of `try`. */
  readonly timeoutMs: number;
  /** Each warning has a line of its own. */
  readonly isVerbose?: boolean;
};

const modes: Readonly<Record<ApplyFlags['mode'], ApplyMode>> = {
  auto: ApplyMode.AUTO,
  'no-reboot': ApplyMode.NO_REBOOT,
  staged: ApplyMode.STAGED,
  try: ApplyMode.TRY,
};

/** Gives a configuration to a node. @param expectedVersion of the one that it was made from; others are refused. */
export function sendConfiguration(
  { client, node }: Target,
  data: Uint8Array,
  { mode, dryRun, timeoutMs }: ApplyFlags,
  { signal, expectedVersion }: { readonly signal: AbortSignal; readonly expectedVersion?: bigint },
): Promise<ApplyConfigurationResponse> {
  return client.applyConfiguration(
    {
      data,
      mode: modes[mode],
      dryRun,
      ...(mode === 'try' ? { tryTimeoutMillis: timeoutMs } : {}),
      ...(expectedVersion === undefined ? {} : { expectedVersion }),
    },
    { node, signal },
  );
}

/** Prints what a node says about a configuration that it took. */
export async function printAnswer(
  node: string,
  { warnings, modeDetails, diff }: ApplyConfigurationResponse,
  { dryRun, isVerbose = false }: ApplyFlags,
  terminal: Terminal,
): Promise<void> {
  for (const line of warningLines(warnings.map(said(node)), isVerbose)) terminal.error.write(line);
  const { out } = terminal;
  const colour = 'isTTY' in out && out.isTTY === true;
  const changes = diff === '' ? `${node}: no changes\n` : formatDiff(diff, { colour });
  await print(out, `${node}: ${printable(modeDetails)}\n${dryRun ? changes : ''}`);
}

/** A node says `document: message`. */
function said(node: string): (warning: string) => Warning {
  return (warning) => {
    const text = printable(warning);
    const [, document, message] = /^([\w./:*-]+): (.*)$/su.exec(text) ?? [];
    return document === undefined || message === undefined
      ? { place: node, message: text }
      : { place: node, document, message };
  };
}

/** Prints what all nodes say: lines for people, one array for programs. */
export async function printAnswers(
  answers: readonly { readonly target: Target; readonly result: ApplyConfigurationResponse }[],
  { format, ...flags }: ApplyFlags & { readonly format: Format },
  terminal: Terminal,
): Promise<void> {
  if (format.kind === 'table') {
    for (const { target, result } of answers) await printAnswer(target.name, result, flags, terminal);
    return;
  }
  const objects = answers.map(({ target, result }) => ({ node: target.name, ...showAnswer(result, flags) }));
  await print(terminal.out, await formatObjects(objects, format, { single: false }));
}

/** What a node says, for programs. */
export function showAnswer(answer: ApplyConfigurationResponse, { dryRun }: ApplyFlags): object {
  const { mode, modeDetails, durable, version, warnings, diff } = answer;
  return {
    mode: wordOf(mode),
    details: modeDetails,
    durable,
    version,
    warnings,
    ...(dryRun && { diff }),
  };
}

function wordOf(mode: ApplyMode): ApplyFlags['mode'] | 'unknown' {
  const found = Object.entries(modes).find(([, each]) => each === mode);
  return (found?.[0] as ApplyFlags['mode'] | undefined) ?? 'unknown';
}
