import { Budget } from './budget.ts';
import { SchemaError } from './error.ts';
import { evaluate } from './evaluator.ts';
import { fields, specialFields } from './field-table.ts';
import type { SchemaNode } from './node.ts';
import { parseTemplate } from './parser.ts';
import type { Name, Operand, Pipeline, Statement } from './syntax-tree.ts';

/** A template that was checked. */
export type Template = {
  readonly text: string;
  /** The files that it looks at: what has to be read for it. */
  readonly files: ReadonlySet<string>;
  /** Whether it wants the names of processes. */
  readonly processNames: boolean;
  /**
   * @param budget one for all cells of a table; each cell has its own by default.
   * @throws {SchemaError} `ERR_SCHEMA_EVALUATE` for what only shows with a cgroup at hand; `ERR_SCHEMA_BUDGET`.
   */
  readonly render: (node: SchemaNode, budget?: Budget) => string;
};

/**
 * Compiles a template in the documented subset of Go's text/template.
 *
 * @throws {SchemaError} with line and column: `ERR_SCHEMA_SYNTAX`, `ERR_SCHEMA_FIELD`.
 */
export function compileTemplate(text: string): Template {
  const statements = parseTemplate(text);
  const survey = new Survey(text);
  survey.statements(statements, true);
  return {
    text,
    files: survey.files,
    processNames: survey.processNames,
    render: (node, budget = new Budget()) => evaluate(statements, text, node, budget),
  };
}

/** Goes through a template and notes its fields. */
class Survey {
  readonly files = new Set<string>();
  processNames = false;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** @param dotIsNode whether `.` is the cgroup itself, so that its names can be checked before there is one. */
  statements(statements: readonly Statement[], dotIsNode: boolean): void {
    for (const statement of statements) this.#statement(statement, dotIsNode);
  }

  #statement(statement: Statement, dotIsNode: boolean): void {
    switch (statement.kind) {
      case 'print':
        return this.#pipeline(statement.pipeline, dotIsNode);
      case 'if':
        for (const { pipeline, body } of statement.branches) {
          this.#pipeline(pipeline, dotIsNode);
          this.statements(body, dotIsNode);
        }
        return this.statements(statement.otherwise, dotIsNode);
      case 'with':
      case 'range':
        this.#pipeline(statement.branch.pipeline, dotIsNode);
        this.statements(statement.branch.body, false);
        return this.statements(statement.otherwise, dotIsNode);
      case 'text':
      case 'break':
      case 'continue':
    }
  }

  #pipeline({ commands }: Pipeline, dotIsNode: boolean): void {
    for (const { operands } of commands) {
      for (const operand of operands) this.#operand(operand, dotIsNode);
    }
  }

  #operand(operand: Operand, dotIsNode: boolean): void {
    if (operand.kind === 'group') this.#pipeline(operand.pipeline, dotIsNode);
    if (operand.kind === 'literal' || operand.kind === 'function') return;
    const node =
      (operand.kind === 'dot' && dotIsNode) || (operand.kind === 'variable' && operand.name === '$');
    this.#names(operand.names, node);
  }

  #names(names: readonly Name[], node: boolean): void {
    let isNode = node;
    for (const { text, offset } of names) {
      const field = Object.hasOwn(fields, text) ? fields[text] : undefined;
      if (isNode && field === undefined && !specialFields.includes(text)) {
        throw new SchemaError('ERR_SCHEMA_FIELD', `a cgroup has no field ${text}`, {
          text: this.#text,
          offset,
        });
      }
      if (field !== undefined) this.files.add(field.file);
      if (text === 'CgroupProcsResolved') {
        this.files.add('cgroup.procs');
        this.processNames = true;
      }
      isNode &&= text === 'Parent';
    }
  }
}
