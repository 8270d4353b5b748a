import type { Command } from 'commander';

import { isDestroying } from './destroys.ts';

/** So many letters may be wrong; in a short word fewer. */
const maxDistance = 2;

/** Commands that a mistyped one may have meant; never one that destroys. */
export function similarCommands(command: Command, word: string): string[] {
  const visible = command.createHelp().visibleCommands(command);
  const proposed = visible.filter((each) => !isDestroying(each));
  return similar(
    word,
    proposed.flatMap((each) => [each.name(), ...each.aliases()]),
  );
}

/** Flags that a mistyped one may have meant; never one that destroys, or that answers a question. */
export function similarFlags(command: Command, word: string): string[] {
  const visible = command.createHelp().visibleOptions(command);
  const proposed = visible.filter((option) => !isDestroying(option));
  return similar(
    word.replace(/=.*$/su, ''),
    proposed.flatMap(({ long }) => long ?? []),
  );
}

/** The names that are nearest to a word, and near enough. */
function similar(word: string, names: readonly string[]): string[] {
  const dashes = word.startsWith('--') ? 2 : 0; // they are alike in all flags
  const limit = Math.min(maxDistance, Math.floor((word.length - dashes) / 3));
  const near = names
    .filter((name) => name.length > 1)
    .map((name) => ({ name, distance: distance(word, name) }));
  const nearest = Math.min(limit, ...near.map((each) => each.distance));
  return near.flatMap((each) => (each.distance === nearest ? [each.name] : [])).toSorted();
}

/** Letters to change, add, leave out or swap with the next one (optimal string alignment). */
function distance(from: string, to: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next[column] = Math.min(
        last[column]! + 1,
        next[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? before[column - 2]! + 1 : Infinity,
      );
    }
    before = last;
    last = next;
  }
  return last[to.length]!;
}
