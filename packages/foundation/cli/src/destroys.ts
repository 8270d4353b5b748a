import { type Command, Option } from 'commander';

const destroying = new WeakSet<Command | Option>();

/** Marks a command or a flag that takes away what can't be had again, or that answers the question before it. */
export function destroys<Marked extends Command | Option>(marked: Marked): Marked {
  destroying.add(marked);
  return marked;
}

/** Whether a command, one above it, or a flag is so marked. It is never proposed: who mistypes did not ask for it. */
export function isDestroying(asked: Command | Option): boolean {
  if (destroying.has(asked)) return true;
  return 'parent' in asked && asked.parent !== null && isDestroying(asked.parent);
}

/** A flag that destroys, replaces what is there, or keeps a command from asking. */
export function destroyingOption(flags: string, description: string): Option {
  return destroys(new Option(flags, description));
}
