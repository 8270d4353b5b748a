import { Budget } from './budget.ts';
import { SchemaError } from './error.ts';
import type { SchemaNode } from './node.ts';
import type { ColumnSource } from './source.ts';
import { compileTemplate, type Template } from './template.ts';

/** A column as its author wrote it. */
export type SchemaColumn = {
  readonly name: string;
  /** In the subset of Go's text/template that the package's README describes. */
  readonly template: string;
  /** The numbers behind the text, for programs and for rates. */
  readonly sources?: readonly ColumnSource[];
};

export type CompiledColumn = {
  readonly name: string;
  readonly template: Template;
  readonly sources: readonly ColumnSource[];
};

/** A table of cgroups, ready to be filled. */
export type Schema = {
  readonly columns: readonly CompiledColumn[];
  /** What has to be read for it. */
  readonly files: readonly string[];
  readonly processNames: boolean;
  /**
   * The cells of one cgroup, in the columns' order.
   *
   * @param budget one for all rows of a table; each row has its own by default.
   * @throws {SchemaError}
   */
  readonly row: (node: SchemaNode, budget?: Budget) => readonly string[];
};

/** @throws {SchemaError} naming the column, with line and column in its template. */
export function compileSchema(columns: readonly SchemaColumn[]): Schema {
  const compiled = columns.map(({ name, template, sources = [] }) => ({
    name,
    sources,
    template: inColumn(name, template, () => compileTemplate(template)),
  }));
  const files = new Set(
    compiled.flatMap(({ template, sources }) => [...template.files, ...sources.map(({ file }) => file)]),
  );
  return {
    columns: compiled,
    files: [...files].sort(),
    processNames: compiled.some(({ template }) => template.processNames),
    row: (node, budget = new Budget()) =>
      compiled.map(({ name, template }) =>
        inColumn(name, template.text, () => template.render(node, budget)),
      ),
  };
}

/** Says in which column it was. */
function inColumn<T>(header: string, text: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof SchemaError) || error.header !== undefined) throw error;
    const lines = text.split('\n').slice(0, error.line - 1);
    const offset = lines.reduce((sum, line) => sum + line.length + 1, 0) + error.column - 1;
    throw new SchemaError(error.code, error.reason, { text, offset, header });
  }
}
