import { createHash } from 'node:crypto';

import { stringify } from 'yaml';

import type { OpenApiDocument } from '../openapi/document.ts';
import { type Answer, textAnswer } from './answer.ts';
import { type Conditions, isKnown } from './conditions.ts';

/** The description of the interface, made at the start, in both its forms. */
export function openApiAnswers(
  document: OpenApiDocument,
): (form: 'json' | 'yaml', conditions: Conditions) => Answer {
  const made = {
    json: prepared('application/json', `${JSON.stringify(document, undefined, 2)}\n`),
    yaml: prepared('application/yaml', stringify(document, { aliasDuplicateObjects: false })),
  };
  return (form, conditions) => {
    const { text, headers } = made[form];
    return isKnown(conditions, headers.etag)
      ? { status: 304, headers: { etag: headers.etag } }
      : textAnswer(200, text, headers);
  };
}

function prepared(
  type: string,
  text: string,
): { readonly text: string; readonly headers: { readonly 'content-type': string; readonly etag: string } } {
  const etag = `"${createHash('sha256').update(text).digest('hex')}"`;
  return { text, headers: { 'content-type': type, etag } };
}
