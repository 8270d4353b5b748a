import type { SchemaNode } from '../src/schema/index.ts';

/** A cgroup for templates, with the texts of its files. */
export function schemaNode(
  files: Readonly<Record<string, string>>,
  more: Partial<Omit<SchemaNode, 'text'>> = {},
): SchemaNode {
  return {
    text: (file) => (Object.hasOwn(files, file) ? files[file] : undefined),
    parent: undefined,
    children: new Map(),
    ...more,
  };
}
