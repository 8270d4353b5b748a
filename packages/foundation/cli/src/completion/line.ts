import type { Command, Option } from 'commander';
import { isListOption } from '../flag-rules.ts';
import type { Line } from './typed-line.ts';

/** Reads words, the last of which is being typed. `load` gives a command its flags before they are looked at. */
export async function readLine(
  program: Command,
  words: readonly string[],
  load: (command: Command) => Promise<void>,
): Promise<Line> {
  const before = words.slice(0, -1);
  const flags: Record<string, unknown> = {};
  const positional: string[] = [];
  let command = program;
  let flag: Option | undefined;
  for (const word of before) {
    if (flag !== undefined) {
      set(flags, flag, word);
      flag = undefined;
    } else if (word.startsWith('-') && word !== '-') {
      const [name, value] = word.split(/=(.*)/s);
      const option = command.options.find(({ short, long }) => name === short || name === long);
      if (option === undefined) continue;
      if (!option.required) flags[option.attributeName()] = true;
      else if (value === undefined) flag = option;
      else set(flags, option, value);
    } else {
      const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
      if (next === undefined) positional.push(word);
      else {
        await load(next);
        command = next;
      }
    }
  }
  return { command, positional, flags, ...unfinished(command, flag, words.at(-1) ?? '') };
}

/** The word that is being typed: a value may be in one word with its flag, and behind other items of a list. */
function unfinished(
  command: Command,
  pending: Option | undefined,
  word: string,
): Pick<Line, 'flag' | 'word' | 'before'> {
  const [, name = '', behind = ''] = /^(--[^=]+)=(.*)$/su.exec(word) ?? [];
  const own = pending === undefined ? command.options.find(({ long }) => long === name) : undefined;
  const flag = pending ?? (own?.isBoolean() === true ? undefined : own);
  const value = own === flag && flag !== undefined ? behind : word;
  const items = flag !== undefined && isListOption(flag) ? value.slice(0, value.lastIndexOf(',') + 1) : '';
  const typed = value.slice(items.length);
  return { flag, word: typed, before: word.slice(0, word.length - typed.length) };
}

function set(flags: Record<string, unknown>, option: Option, value: string): void {
  const name = option.attributeName();
  flags[name] = option.parseArg === undefined ? value : option.parseArg(value, flags[name]);
}
