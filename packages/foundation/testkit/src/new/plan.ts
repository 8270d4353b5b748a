import type { Changes } from './change.ts';
import { newCommand } from './command.ts';
import { type Name, nameOf } from './name.ts';

/** What can be made new. */
export const partNames = ['command'] as const;
export type Part = (typeof partNames)[number];

const makers: Readonly<Record<Part, (changes: Changes, name: Name) => Promise<void>>> = {
  command: newCommand,
};

/**
 * Makes the changes that a new part consists of; nothing is written.
 *
 * @throws {NewError} when the name can't be taken.
 */
export async function plan(changes: Changes, part: Part, text: string): Promise<void> {
  const name = nameOf(text);
  await makers[part](changes, name);
}
