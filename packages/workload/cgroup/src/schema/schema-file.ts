import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';

import { SchemaError } from './error.ts';
import { compileSchema, type Schema, type SchemaColumn } from './schema.ts';

/** YAML of this size is read in a second. */
const longestFile = 1 << 19;
/** Far more than a terminal holds. */
const maxColumns = 1000;

/**
 * A schema file:
 *
 *     columns:
 *       - name: Header
 *         template: '{{ .MemoryCurrent.HumanizeIBytes }}'
 *
 * @throws {SchemaError} `ERR_SCHEMA_FILE` with the place in the file; for a template that can't be used its column's
 *   name, and the place in the template.
 */
export function parseSchemaFile(text: string): Schema {
  const fail = (reason: string, offset: number): never => {
    throw new SchemaError('ERR_SCHEMA_FILE', reason, { text, offset });
  };
  if (text.length > longestFile) fail(`a schema file has at most ${longestFile} characters`, longestFile);
  const document = parseDocument(text, { logLevel: 'silent' });
  const [problem] = document.errors;
  if (problem !== undefined) fail(problem.message.split('\n')[0] ?? problem.code, problem.pos[0]);
  const { contents } = document;
  if (!isMap(contents)) return fail('a schema is a map with "columns"', at(contents));
  for (const { key } of contents.items) {
    if (!isScalar(key) || key.value !== 'columns') fail(`unknown field ${String(key)}`, at(key));
  }
  const columns = contents.get('columns', true) as unknown;
  if (!isSeq(columns) || columns.items.length === 0)
    return fail('"columns" is a list of at least one', at(contents));
  if (columns.items.length > maxColumns)
    fail(`a schema has at most ${maxColumns} columns`, at(columns.items[maxColumns]));
  return compileSchema(columns.items.map((item) => toColumn(item, fail)));
}

/** Where a node begins in the file. */
function at(node: unknown): number {
  return (node as Node | undefined)?.range?.[0] ?? 0;
}

function toColumn(item: unknown, fail: (reason: string, offset: number) => never): SchemaColumn {
  if (!isMap(item)) return fail('a column is a map with "name" and "template"', at(item));
  for (const { key } of item.items) {
    if (!isScalar(key) || (key.value !== 'name' && key.value !== 'template')) {
      fail(`unknown field ${String(key)}`, at(key));
    }
  }
  const of = (field: string): string => {
    const node = item.get(field, true) as unknown;
    if (!isScalar(node) || typeof node.value !== 'string')
      return fail(`"${field}" is text`, at(node ?? item));
    return node.value;
  };
  return { name: of('name'), template: of('template') };
}
