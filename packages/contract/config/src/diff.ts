import { createRequire } from 'node:module';

import type * as Diff from 'diff';

import { redactBoth } from './redact.ts';

const require = createRequire(import.meta.url);

/**
 * What changes from one configuration text to another, as a unified diff; empty when nothing does. Secrets are redacted
 * in both, and one that changed says so without its value. Line ends and a missing last one don't count.
 *
 * @throws {ConfigError} when a text can't be read; an empty `before` stands for no configuration.
 */
export function diff(before: string, after: string): string {
  const texts = redactBoth(before, after);
  return diffOfShown(texts.before, texts.after);
}

/** The same for texts that a node has shown, whose secrets are hidden already. */
export function diffOfShown(before: string, after: string): string {
  const [old, current] = [canonical(before), canonical(after)];
  if (old === current) return '';
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = require('diff') as typeof Diff;
  return createTwoFilesPatch('before', 'after', old, current, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

function canonical(text: string): string {
  const lines = text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trimEnd());
  const trimmed = lines.join('\n').trim();
  return trimmed === '' ? '' : `${trimmed}\n`;
}
