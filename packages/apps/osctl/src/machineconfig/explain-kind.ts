import { printFound, readFormat, Table, type Terminal, UsageError } from '@nodecore/cli';
import { aboutKinds, explain, fieldsBelow, fieldsOf, type Kind, nearest } from '@nodecore/config';

/**
 * Prints what a kind of document is for, with its fields, or one of them with those below; without a path a line for each kind.
 * Programs get an object for each field, or kind.
 *
 * @throws {UsageError} for a kind or a field that does not exist, with the one that may be meant.
 */
export async function explainKind(
  path: string | undefined,
  output: string,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(output);
  if (path === undefined) {
    const about = aboutKinds();
    await printFound(
      terminal,
      format,
      about.map(([kind, words]) => ({ kind, about: words })),
      { single: false, text: () => new Table(['kind', 'about']).format(about) },
    );
    return;
  }
  const [kind = '', ...fields] = path.split('.');
  const field = fields.join('.');
  const found = fieldsBelow(kind, field);
  if (found === undefined) throw new UsageError(unknown(kind, field));
  await printFound(
    terminal,
    format,
    found.map((row) => ({ kind, ...row })),
    { single: false, text: () => explain(kind, field) ?? '' },
  );
}

function unknown(kind: string, field: string): string {
  const kinds = aboutKinds().map(([name]) => name as string);
  if (!kinds.includes(kind)) {
    const near = nearest(kind, kinds);
    const hint =
      near === undefined ? 'osctl machineconfig explain shows all of them' : `did you mean ${near}?`;
    return `there is no kind ${JSON.stringify(kind)}; ${hint}`;
  }
  const near = nearest(
    field,
    fieldsOf(kind as Kind).map((row) => row.path.replaceAll('[]', '')),
  );
  const hint =
    near === undefined
      ? `osctl machineconfig explain ${kind} shows those it has`
      : `did you mean ${kind}.${near}?`;
  return `${kind} has no field ${JSON.stringify(field)}; ${hint}`;
}
