import type { Shape } from './shape.ts';

/** How the objects of an answer stand in the output. */
export type Form = 'list' | 'one' | 'listOrOne' | 'lines' | 'listOrLines';

/** What one command says as JSON. */
export type Answer = { readonly form: Form; readonly item: Shape };

/** The answers of commands by their words: `kvstore members`. */
export type Answers = Readonly<Record<string, Answer>>;

const forms: Readonly<Record<Form, string>> = {
  list: 'A list.',
  one: 'One object.',
  listOrOne: 'One object where one thing of one node was named, else a list.',
  lines: 'A stream: the schema is that of each line.',
  listOrLines: 'A list, or while it follows what happens a stream; then the schema is that of each line.',
};

export function list(item: Shape): Answer {
  return { form: 'list', item };
}

export function one(item: Shape): Answer {
  return { form: 'one', item };
}

export function listOrOne(item: Shape): Answer {
  return { form: 'listOrOne', item };
}

export function lines(item: Shape): Answer {
  return { form: 'lines', item };
}

export function listOrLines(item: Shape): Answer {
  return { form: 'listOrLines', item };
}

/** The published schema of a command. */
export function documentOf(command: string, { form, item }: Answer): Shape {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: fileOf(command),
    title: `osctl ${command}`,
    description: forms[form],
    ...bodyOf(form),
    $defs: { item },
  };
}

function bodyOf(form: Form): Shape {
  const item = { $ref: '#/$defs/item' };
  const all = { type: 'array', items: item };
  if (form === 'list') return all;
  return form === 'listOrOne' || form === 'listOrLines' ? { anyOf: [all, item] } : item;
}

/** Its file in `schemas/`. */
export function fileOf(command: string): string {
  return `osctl-${command.replaceAll(' ', '-')}.schema.json`;
}
