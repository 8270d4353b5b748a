import { stringifyJson } from '@nodecore/sys';

/** A column names a member, or the members of each item of a list: `$.last.result`, `$.rules[*].text`. */
const form = /^\$(?:\.\w+|\[\*\])+$/u;

/**
 * Reads the cell of a column, as `osctl get` does: empty where there is nothing, a list with commas.
 *
 * @throws {TypeError} for paths of another form: no column of ours has one.
 */
export function memberPath(jsonPath: string): (spec: unknown) => string {
  if (!form.test(jsonPath)) throw new TypeError(`no path of members: ${jsonPath}`);
  const steps = jsonPath.match(/\w+|\*/gu) ?? [];
  return (spec) => steps.reduce<readonly unknown[]>(step, [spec]).flatMap(cells).join(', ');
}

function step(values: readonly unknown[], name: string): readonly unknown[] {
  return values.flatMap((value) => {
    if (name === '*') return typeof value === 'object' && value !== null ? Object.values(value) : [];
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    return isThere ? [(value as Readonly<Record<string, unknown>>)[name]] : [];
  });
}

function cells(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap(cells);
  return [typeof value === 'string' ? value : stringifyJson(value)];
}
