import type { AccessResponse } from '@nodecore/api/machine';
import {
  formatObjects,
  loadCommand,
  print,
  readFormat,
  Table,
  type Terminal,
  UsageError,
} from '@nodecore/cli';
import type { Command } from 'commander';

import { notAllowed } from '../outcome.ts';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';
import { methodsOf } from './methods.ts';

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

/** @throws {OutcomeError} `ERR_NOT_ALLOWED` when something that was asked for is not allowed somewhere. */
export async function canI(
  program: Command,
  { words, list }: Request,
  flags: GlobalFlags & { readonly output: string },
  terminal: Terminal,
): Promise<void> {
  if (list === words.length > 0) throw new UsageError('name a command or a method, or give --list');
  const wanted = list ? undefined : await wantedMethods(program, words);
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
  if (!list && denied.length > 0) throw notAllowed(denied.length, answers.length);
}

/** @throws {UsageError} for words that name neither. */
async function wantedMethods(program: Command, words: readonly string[]): Promise<readonly string[]> {
  const method = /^(?:\/?nodecore\.v1\.)?([A-Z]\w+\/[A-Z]\w+)$/.exec(words.join(' '))?.[1];
  if (method !== undefined) return [method];
  const command = await commandOf(program, words);
  if (command !== undefined) return [...new Set(methodsOf(command))];
  throw new UsageError(`${words.join(' ')} is no command, and no method such as TrimService/Trim`);
}

async function commandOf(program: Command, words: readonly string[]): Promise<Command | undefined> {
  let command: Command | undefined = program;
  for (const word of words) {
    command = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (command === undefined) return undefined;
    await loadCommand(command);
  }
  return command;
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
