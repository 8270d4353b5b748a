import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { type Answer, textAnswer } from './answer.ts';
import { type Conditions, isKnown } from './conditions.ts';

const types = {
  'style.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

/** What pages load: files beside the program, read at its start. */
export const staticFiles: readonly string[] = Object.keys(types);

/** Answers for them; a browser asks whether what it has is still right. */
export function staticAnswers(): (name: string, conditions: Conditions) => Answer {
  const files = new Map(
    Object.entries(types).map(([name, type]) => {
      const text = readFileSync(new URL(`../../static/${name}`, import.meta.url), 'utf8');
      const etag = `"${createHash('sha256').update(text).digest('hex')}"`;
      const headers = {
        'content-type': type,
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'none'; style-src 'self'",
        etag,
      };
      return [name, { text, headers }] as const;
    }),
  );
  return (name, conditions) => {
    const { text = '', headers = { etag: '' } } = files.get(name) ?? {};
    if (isKnown(conditions, headers.etag)) return { status: 304, headers };
    return textAnswer(200, text, headers);
  };
}
