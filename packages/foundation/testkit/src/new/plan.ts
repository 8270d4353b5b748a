import type { Changes } from './change.ts';
import { newCommand } from './command.ts';
import { NewError } from './errors.ts';
import { newFeature } from './feature.ts';
import { nameOf } from './name.ts';
import { newResource } from './resource.ts';
import { newRpc } from './rpc.ts';

/** What can be made new. */
export const partNames = ['command', 'rpc', 'resource', 'feature'] as const;
export type Part = (typeof partNames)[number];

/** What a new part belongs to. */
export type Place = {
  /** Of an rpc, as its proto file is called; `machine` when it is not said. */
  readonly service?: string | undefined;
  /** Of a resource: the folder of the feature that writes it. */
  readonly feature?: string | undefined;
};

/**
 * Makes the changes that a new part consists of; nothing is written.
 *
 * @throws {NewError} when the name can't be taken.
 */
export async function plan(changes: Changes, part: Part, text: string, place: Place = {}): Promise<void> {
  const name = nameOf(text);
  const { service, feature } = place;
  if (service !== undefined && part !== 'rpc')
    throw new NewError('ERR_NEW_USAGE', `a ${part} belongs to no service; leave out --service`);
  if (feature !== undefined && part !== 'resource')
    throw new NewError('ERR_NEW_USAGE', `a ${part} is not part of a feature; leave out --feature`);
  switch (part) {
    case 'command':
      return await newCommand(changes, name);
    case 'rpc':
      if (service === undefined)
        throw new NewError('ERR_NEW_USAGE', 'name the service that it belongs to: --service SERVICE');
      return await newRpc(changes, name, service);
    case 'feature':
      return await newFeature(changes, name);
    case 'resource':
      if (feature === undefined)
        throw new NewError('ERR_NEW_USAGE', 'name the feature that writes it: --feature FEATURE');
      return await newResource(changes, name, feature);
  }
}
