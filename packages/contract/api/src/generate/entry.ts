import type { Schema } from './schema.ts';

/** JavaScript of an entry: the values of one .proto file, from the module that has those of the whole package. */
export function entrySource({ enums, messages, services }: Schema, module: string): string {
  return exported(
    [...enums, ...messages, ...services].map(({ name }) => name),
    module,
  );
}

/** TypeScript declarations of the same, with what messages are made of and what servers implement. */
export function entryTypes({ enums, messages, services }: Schema, module: string): string {
  return exported(
    [
      ...enums.map(({ name }) => name),
      ...messages.flatMap(({ name }) => [name, `type ${name}Init`]),
      ...services.flatMap(({ name }) => [name, `type ${name}Handlers`]),
    ],
    module,
  );
}

function exported(names: readonly string[], module: string): string {
  return ['export {', ...names.map((name) => `  ${name},`), `} from './${module}';`, ''].join('\n');
}
