import { codeOf } from '@nodecore/sys';

import { type ApplyFlags, printAnswer, sendConfiguration } from '../apply/send.ts';
import { errorLines } from '../error-lines.ts';
import type { GlobalFlags } from '../flags.ts';
import { type Target, Targets } from '../nodes/target.ts';
import { presentConfiguration } from '../patch/present.ts';
import { print, type Terminal } from '../terminal.ts';
import { edit } from './editor.ts';

export type EditRequest = ApplyFlags & { readonly namespace?: string };

/** What we write above the text of somebody; taken away before it is sent. */
const note = '#osctl# ';

/** Opens the configuration of one node after the other in the user's editor, and sends what was changed. */
export async function editNodes(request: EditRequest, flags: GlobalFlags, terminal: Terminal): Promise<void> {
  await using targets = await Targets.open(flags, terminal.env);
  for (const target of targets.all) await editNode(target, request, terminal);
}

/** A refused text is opened again with what is wrong above it, until it is taken or not changed any more. */
async function editNode(target: Target, request: EditRequest, terminal: Terminal): Promise<void> {
  const { signal } = terminal;
  const { namespace } = request;
  const { text, version } = await presentConfiguration(target, {
    signal,
    ...(namespace === undefined ? {} : { namespace }),
  });
  let notes = ['secrets are shown as "******" and stay as they are; a new one is written in place of that'];
  let shown = text;
  let refusal: unknown;
  for (;;) {
    const edited = withoutNotes(await edit(withNotes(shown, notes), terminal));
    if (edited === shown) {
      if (refusal !== undefined) throw refusal;
      await print(terminal.out, `${target.name}: not edited\n`);
      return;
    }
    try {
      const answer = await sendConfiguration(target, Buffer.from(edited), request, {
        signal,
        expectedVersion: version,
      });
      await printAnswer(target.name, answer, request, terminal);
      return;
    } catch (error) {
      if (codeOf(error) !== 'ERR_API_INVALID') throw error;
      refusal = error;
      notes = errorLines(error);
      shown = edited;
    }
  }
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
