import type { ApplyConfigurationResponse } from '@nodecore/api/machine';
import { formatObjects, print, readFormat, type Terminal } from '@nodecore/cli';
import { diffOfShown } from '@nodecore/config';
import { codeOf } from '@nodecore/sys/pure';

import { formatDiff } from '../configuration/diff.ts';
import { type ApplyFlags, printAnswer, sendConfiguration, showAnswer } from '../configuration/send.ts';
import { inTurn, isSuperseded } from '../configuration/turns.ts';
import { errorLines } from '../error-lines.ts';
import type { GlobalFlags } from '../flags.ts';
import { type Target, Targets } from '../nodes/target.ts';
import { presentConfiguration } from '../configuration/present.ts';
import { edit, keep } from './editor.ts';

export type EditRequest = ApplyFlags & { readonly namespace?: string; readonly output: string };

/** What we write above the text of somebody; taken away before it is sent. */
const note = '#osctl# ';

/**
 * Opens the configuration of one node after the other in the user's editor, and sends what was changed. Programs get one array
 * at the end, also when a node failed: of those before it.
 */
export async function editNodes(request: EditRequest, flags: GlobalFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(request.output);
  await using targets = await Targets.open(flags, terminal);
  const edited: object[] = [];
  try {
    for (const target of targets.all) {
      const answer = await editNode(target, request, terminal);
      edited.push({
        node: target.name,
        edited: answer !== undefined,
        ...(answer !== undefined && showAnswer(answer, request)),
      });
      if (format.kind !== 'table') continue;
      if (answer === undefined) await print(terminal.out, `${target.name}: not edited\n`);
      else await printAnswer(target.name, answer, request, terminal);
    }
  } finally {
    if (format.kind !== 'table')
      await print(terminal.out, await formatObjects(edited, format, { single: false }));
  }
}

/**
 * A refused text is opened again with what is wrong above it, until it is taken or not changed any more.
 *
 * @returns what the node says; undefined when nothing was edited.
 */
async function editNode(
  target: Target,
  request: EditRequest,
  terminal: Terminal,
): Promise<ApplyConfigurationResponse | undefined> {
  const { signal } = terminal;
  const { namespace } = request;
  const asked = { signal, ...(namespace === undefined ? {} : { namespace }) };
  const { text, version } = await presentConfiguration(target, asked);
  let notes = ['secrets are shown as "******" and stay as they are; a new one is written in place of that'];
  let shown = text;
  let refusal: unknown;
  for (;;) {
    const edited = withoutNotes(await edit(withNotes(shown, notes), terminal));
    if (edited === shown) {
      if (refusal !== undefined) {
        await keepEdited(target, edited, terminal);
        throw refusal;
      }
      return undefined;
    }
    try {
      const send = (): Promise<ApplyConfigurationResponse> =>
        sendConfiguration(target, Buffer.from(edited), request, { signal, expectedVersion: version });
      return await inTurn(send, terminal, { rebase: false });
    } catch (error) {
      if (codeOf(error) !== 'ERR_API_INVALID') {
        const file = await keepEdited(target, edited, terminal);
        if (isSuperseded(error)) await explain(target, { text, file }, asked, terminal);
        throw error;
      }
      refusal = error;
      notes = errorLines(error);
      shown = edited;
    }
  }
}

/** An edited text that was not taken is work of somebody: it stays, for its owner alone. */
async function keepEdited({ name }: Target, text: string, { error }: Terminal): Promise<string> {
  const file = await keep(text);
  await print(error, `${name}: your text was not applied; it is in ${file}\n`);
  return file;
}

/** What others changed meanwhile is not overwritten, and not merged by a guess: the user sees it and decides. */
async function explain(
  target: Target,
  { text, file }: { readonly text: string; readonly file: string },
  asked: Parameters<typeof presentConfiguration>[1],
  { error, signal }: Terminal,
): Promise<void> {
  const now = await presentConfiguration(target, asked).catch(() => undefined);
  signal.throwIfAborted();
  const { name } = target;
  const changes = now === undefined ? '' : formatDiff(diffOfShown(text, now.text), { colour: false });
  await print(
    error,
    `${name}: the configuration was changed by somebody else while you edited it:\n${changes}` +
      `${name}: edit again and bring your changes in, or put every value of your text over theirs: ` +
      `osctl patch mc -n ${name} --patch-file ${file}\n`,
  );
}

/** Problems name the lines that they have below the notes. */
function withNotes(text: string, notes: readonly string[]): string {
  const shift = notes.length;
  const lines = notes.map((line) =>
    line.replace(/^<config>:(\d+):/u, (_, at: string) => `line ${Number(at) + shift}, column `),
  );
  return `${lines.map((line) => `${note}${line}\n`).join('')}${text}`;
}

function withoutNotes(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith(note))
    .join('\n');
}
