import type { AccessResponse } from '@nodecore/api';

import { commands } from '../commands.ts';
import { NotAllowedError, UsageError } from '../errors.ts';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';
import { readFormat } from '../output/format.ts';
import { formatObjects } from '../output/objects.ts';
import { Table } from '../output/table.ts';
import { print, type Terminal } from '../terminal.ts';
import { needsOf } from './needs.ts';

export type Request = { readonly words: readonly string[]; readonly list: boolean };

/** One method on one node, as -o json and yaml show it. */
type Answer = {
  readonly node: string;
  readonly method: string;
  readonly allowed: boolean;
  /** Any one of these is enough. */
  readonly needs: readonly string[];
  /** Those of the certificate. */
  readonly roles: readonly string[];
};

/** @throws {NotAllowedError} when something that was asked for is not allowed somewhere. */
export async function canI(
  { words, list }: Request,
  flags: GlobalFlags & { readonly output: string },
  terminal: Terminal,
): Promise<void> {
  if (list === words.length > 0) throw new UsageError('name a command or a method, or give --list');
  const wanted = list ? undefined : wantedMethods(words);
  const format = await readFormat(flags.output);
  await using targets = await Targets.open(flags, terminal);
  const { results, throwFailures } = await everyNode(targets.all, ({ client, node }) =>
    client.access({ node, signal: terminal.signal }),
  );
  const answers = results.flatMap(({ target, result }) => answersOf(target.name, result, wanted));
  if (format.kind !== 'table')
    await print(terminal.out, await formatObjects(answers, format, { single: false }));
  else if (answers.length > 0) {
    const table = new Table(['node', 'method', 'allowed', 'needs', 'roles']);
    await print(terminal.out, table.format(answers.map(row)));
  }
  throwFailures();
  const denied = answers.filter(({ allowed }) => !allowed);
  if (!list && denied.length > 0) throw new NotAllowedError(denied.length, answers.length);
}

/** @throws {UsageError} for words that name neither. */
function wantedMethods(words: readonly string[]): readonly string[] {
  const method = /^(?:\/?nodecore\.v1\.)?([A-Z]\w+\/[A-Z]\w+)$/.exec(words.join(' '))?.[1];
  if (method !== undefined) return [method];
  const [first = '', ...rest] = words;
  const name = commands.find((each) => each.name === first || each.aliases?.includes(first))?.name ?? first;
  const found = needsOf([name, ...rest].join(' '));
  if (found !== undefined) return [...new Set(found)];
  throw new UsageError(`${words.join(' ')} is no command, and no method such as TrimService/Trim`);
}

function answersOf(
  node: string,
  { methods, roles }: AccessResponse,
  wanted: readonly string[] | undefined,
): Answer[] {
  if (wanted === undefined)
    return methods.map(({ method, allowed, roles: enough }) => ({
      node,
      method,
      allowed,
      needs: enough,
      roles,
    }));
  return wanted.map((method) => {
    const known = methods.find((each) => each.method === method);
    // An older node does not have it.
    return { node, method, allowed: known?.allowed ?? false, needs: known?.roles ?? [], roles };
  });
}

function row({ node, method, allowed, needs, roles }: Answer): string[] {
  return [node, method, allowed ? 'yes' : 'no', needs.join(', '), roles.join(', ') || 'none'];
}
