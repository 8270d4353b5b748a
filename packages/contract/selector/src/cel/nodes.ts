import type { Value } from './values.ts';

export type Operator = '+' | '-' | '*' | '/' | '%' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in';
export type MacroName = 'all' | 'exists' | 'exists_one' | 'map' | 'filter';

/** Where a part is in the text, without parentheses around it; and the place that an error of it points at. */
type Place = {
  readonly start: number;
  readonly end: number;
  readonly at: number;
  /** How many parts are in each other, itself included: what a walk over it needs of the stack. */
  readonly depth: number;
};

export type Content =
  | { readonly kind: 'literal'; readonly value: Value }
  /** With dots in it when it is a declared name. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'select'; readonly operand: Node; readonly field: string; readonly optional: boolean }
  | { readonly kind: 'index'; readonly operand: Node; readonly index: Node; readonly optional: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly target?: Node; readonly args: readonly Node[] }
  | { readonly kind: 'has'; readonly operand: Node; readonly field: string }
  | { readonly kind: 'not' | 'minus'; readonly operand: Node }
  | { readonly kind: 'binary'; readonly operator: Operator; readonly left: Node; readonly right: Node }
  /** A chain of `&&` or `||`, however long, is one part. */
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Node[] }
  | { readonly kind: 'conditional'; readonly test: Node; readonly yes: Node; readonly no: Node }
  | { readonly kind: 'list'; readonly elements: readonly Node[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Node, Node])[] }
  | {
      readonly kind: 'macro';
      readonly macro: MacroName;
      readonly range: Node;
      readonly variable: string;
      /** Of `map` with three arguments. */
      readonly filter?: Node;
      readonly body: Node;
    };

export type Node = Content & Place;
export type NodeOf<Kind extends Content['kind']> = Extract<Node, { readonly kind: Kind }>;

/** What is directly in a part. */
export function childrenOf(node: Content): readonly Node[] {
  switch (node.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'select':
    case 'has':
    case 'not':
    case 'minus':
      return [node.operand];
    case 'index':
      return [node.operand, node.index];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'binary':
      return [node.left, node.right];
    case 'and':
    case 'or':
      return node.operands;
    case 'conditional':
      return [node.test, node.yes, node.no];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flat();
    case 'macro':
      return [node.range, ...(node.filter === undefined ? [] : [node.filter]), node.body];
    default:
      return node satisfies never;
  }
}
