/** One operand with what is taken from it: `.CPUStat.user_usec`, `$device`, `(index .A "b").C`. */
export type Operand = { readonly offset: number } & (
  | { readonly kind: 'dot'; readonly names: readonly Name[] }
  | { readonly kind: 'variable'; readonly name: string; readonly names: readonly Name[] }
  | { readonly kind: 'group'; readonly pipeline: Pipeline; readonly names: readonly Name[] }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | undefined }
  | { readonly kind: 'function'; readonly name: string }
);

export type Name = { readonly text: string; readonly offset: number };

/** A function or a method with its arguments, or a value alone. */
export type Command = { readonly operands: readonly Operand[]; readonly offset: number };

export type Pipeline = {
  /** `$name :=` or `$name =`. */
  readonly assigns?: { readonly name: string; readonly declares: boolean };
  readonly commands: readonly Command[];
  readonly offset: number;
};

export type Branch = { readonly pipeline: Pipeline; readonly body: readonly Statement[] };

export type Statement = { readonly offset: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipeline: Pipeline }
  | { readonly kind: 'if'; readonly branches: readonly Branch[]; readonly otherwise: readonly Statement[] }
  | { readonly kind: 'with'; readonly branch: Branch; readonly otherwise: readonly Statement[] }
  | {
      readonly kind: 'range';
      /** Names of the variables for key and element, as far as there are any. */
      readonly variables: readonly string[];
      readonly branch: Branch;
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: 'break' | 'continue' }
);
