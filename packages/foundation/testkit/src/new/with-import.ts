/** A source with one more import, behind the others, or in the one that there is of that module. */
export function withImport(text: string, name: string, module: string): string {
  const all = [...text.matchAll(/^import [^;]*? from '([^']+)';\n/gmu)];
  const same = all.find(([statement, from]) => from === module && statement.startsWith('import {'));
  if (same !== undefined) {
    const [statement] = same;
    return text.replace(statement, statement.replace(/,?\s*\} from/u, `, ${name} } from`));
  }
  const last = all.at(-1);
  const at = last === undefined ? 0 : last.index + last[0].length;
  return `${text.slice(0, at)}import { ${name} } from '${module}';\n${text.slice(at)}`;
}
