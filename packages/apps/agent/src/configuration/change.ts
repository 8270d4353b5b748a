import { type Configuration, diff } from '@nodecore/config';

import { effectWords } from './effect-words.ts';
import { happened, wouldHappen } from './mode-words.ts';
import type { ApplyRequest, ApplyResult } from './request.ts';

/** What a request is answered with: what it changes, and what that takes. @param doubts of those who were asked besides. */
export function describeChange(
  { mode, dryRun, text }: ApplyRequest,
  before: Configuration | undefined,
  configuration: Configuration,
  doubts: readonly string[],
): Omit<ApplyResult, 'version'> {
  return {
    warnings: [
      ...configuration.warnings.map(({ document, message }) => `${document}: ${message}`),
      ...doubts,
    ],
    mode,
    details: dryRun ? `Dry run: ${wouldHappen[mode]}${effectWords(before, configuration)}` : happened[mode],
    diff: diff(before?.text ?? '', text),
    durable: !dryRun && mode !== 'try',
  };
}
