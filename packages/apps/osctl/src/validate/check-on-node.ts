import { ApiError } from '@nodecore/api';
import type { Terminal } from '@nodecore/cli';
import { parse, type Document, type Problem } from '@nodecore/config';

import { sendConfiguration } from '../configuration/send.ts';
import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import type { Checked } from './check-file.ts';

/**
 * Has a node check a valid configuration against what it has: its disks, its volumes, its programs. It is a dry run, which changes
 * nothing.
 *
 * @param options.known warnings that were found here already; the node's own of the same kind are left out.
 * @throws {ApiError} when the node can't be asked, or does not let this certificate ask.
 */
export async function checkOnNode(
  text: string,
  { file, known }: { readonly file: string; readonly known: readonly Problem[] },
  flags: GlobalFlags,
  terminal: Terminal,
): Promise<Pick<Checked, 'problems' | 'warnings'>> {
  using configuration = parse(text, { file });
  const { documents } = configuration;
  const place = (problem: Omit<Problem, 'line' | 'column'>): Problem =>
    placed({ ...problem, file }, documents);
  try {
    const { warnings } = await onlyNode(flags, terminal, (target) =>
      sendConfiguration(
        target,
        Buffer.from(text),
        { mode: 'auto', dryRun: true, timeoutMs: 0 },
        { signal: terminal.signal },
      ),
    );
    const said = new Set(known.map(({ document, message }) => `${document}: ${message}`));
    return {
      problems: [],
      warnings: warnings
        .filter((warning) => !said.has(warning))
        .map((warning) => place(warningOf(warning, documents))),
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.problems.length === 0) throw error;
    return {
      problems: error.problems.map(({ line, column, ...problem }) =>
        line > 0 ? { ...problem, line, column, file } : place(problem),
      ),
      warnings: [],
    };
  }
}

/** `UserVolumeConfig/data: what is the matter`, or only that. */
function warningOf(text: string, documents: readonly Document[]): Omit<Problem, 'line' | 'column'> {
  const found = documents.find(({ identity }) => text.startsWith(`${identity}: `));
  const message = found === undefined ? text : text.slice(found.identity.length + 2);
  return { code: 'node.warning', message, path: '', document: found?.identity ?? '' };
}

/** A finding of the node is shown at its document, or else at the first. */
function placed(problem: Omit<Problem, 'line' | 'column'>, documents: readonly Document[]): Problem {
  const { line = 1, column = 1 } =
    documents.find(({ identity }) => identity === problem.document) ?? documents[0] ?? {};
  return { ...problem, line, column };
}
