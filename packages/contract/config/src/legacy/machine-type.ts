import { choice } from '../field/scalars.ts';
import { type Type } from '../field/type.ts';

const words = choice('controlplane', 'worker', 'init', 'join');

/** What a machine is in its cluster; `init` and `join` are older words. */
export const machineType: Type<'controlplane' | 'worker' | 'init' | 'join'> = {
  ...words,
  says: 'controlplane, worker',
  read: (at) => {
    const value = words.read(at);
    if (value === 'join')
      at.warning('machine.type_spelling', 'is an older word: use worker in place of join');
    if (value === 'init')
      at.warning(
        'machine.type_init',
        'is an older way, a control plane that begins the kvstore by itself: use controlplane and osctl bootstrap',
      );
    return value;
  },
};
