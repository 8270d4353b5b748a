import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { parseDocument } from 'yaml';

import { jsonSchema, parse, type Problem, type Values } from '@nodecore/config';
import { unmark } from '../fixtures/marked.ts';
import { problemsOf } from '../fixtures/problems.ts';

/** A document below apiVersion and kind with a `§` where the finding is (none: at its beginning), its code, and the path of the field. */
export type Case = readonly [marked: string, code: string, path: string];

export type Table<Value> = {
  /** What a document reads as: the whole value, defaults among it. */
  readonly reads?: readonly (readonly [text: string, value: Partial<Value>])[];
  /** What else is taken, without a word. */
  readonly accepts?: readonly string[];
  readonly refuses?: readonly Case[];
  readonly warns?: readonly Case[];
};

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
const head = (kind: string): string => `apiVersion: v1alpha1\nkind: ${kind}\n`;

/** Tests of one kind: a line for each case of its table. What is taken has to satisfy the JSON Schema too. */
export function tableOf<Kind extends keyof Values>(kind: Kind, table: Table<Values[Kind]>): void {
  const { reads = [], accepts = [], refuses = [], warns = [] } = table;
  const schema = ajv.compile(jsonSchema(kind));
  const inSchema = (text: string): boolean => schema(parseDocument(text).toJS());

  test(`${kind}: its documents are read, with what is left out filled in`, (t) => {
    for (const [text, value] of reads) {
      using configuration = parse(head(kind) + text);
      t.like(configuration.get(kind), value, text);
      t.deepEqual(own(configuration.warnings), [], text);
      t.true(inSchema(head(kind) + text), `schema: ${text}`);
    }
    for (const text of accepts) {
      t.deepEqual(problemsOf(head(kind) + text), [], text);
      t.true(inSchema(head(kind) + text), `schema: ${text}`);
    }
  });

  test(`${kind}: what is wrong is named at its place`, (t) => {
    for (const one of refuses)
      t.deepEqual(shown(problemsOf(unmark(head(kind) + one[0]).text)), place(kind, one), one[0]);
    for (const one of warns) {
      using configuration = parse(unmark(head(kind) + one[0]).text);
      t.deepEqual(shown(own(configuration.warnings)), place(kind, one), one[0]);
    }
  });
}

/** Without what a kind says of each of its documents. */
function own(warnings: readonly Problem[]): readonly Problem[] {
  return warnings.filter(({ code }) => !['kind.no_effect', 'machine.controlplane_only'].includes(code));
}

function shown(problems: readonly Problem[]): object[] {
  return problems.map(({ code, path, line, column }) => ({ code, path, line, column }));
}

function place(kind: string, [marked, code, path]: Case): object[] {
  const isWhole = !marked.includes('§');
  const { line, column } = isWhole ? { line: 1, column: 1 } : unmark(head(kind) + marked);
  return [{ code, path, line, column }];
}
