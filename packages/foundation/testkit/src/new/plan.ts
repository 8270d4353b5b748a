import type { Changes } from './change.ts';
import { newCommand } from './command.ts';
import { NewError } from './errors.ts';
import { nameOf } from './name.ts';
import { newRpc } from './rpc.ts';

/** What can be made new. */
export const partNames = ['command', 'rpc'] as const;
export type Part = (typeof partNames)[number];

/**
 * Makes the changes that a new part consists of; nothing is written.
 *
 * @param service that an rpc belongs to: `machine` when it is not said. The others have none.
 * @throws {NewError} when the name can't be taken.
 */
export async function plan(changes: Changes, part: Part, text: string, service?: string): Promise<void> {
  const name = nameOf(text);
  if (service !== undefined && part !== 'rpc')
    throw new NewError('ERR_NEW_USAGE', `a ${part} belongs to no service; leave out --service`);
  if (part === 'rpc') await newRpc(changes, name, service ?? 'machine');
  else await newCommand(changes, name);
}
