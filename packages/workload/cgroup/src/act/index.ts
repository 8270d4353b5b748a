import { freeze, thaw } from './freeze.ts';
import { kill } from './kill.ts';
import { limitFor, limitMemory, unlimitMemory } from './limit.ts';
import { membersOf } from './members.ts';
import { reclaim } from './reclaim.ts';

/** What can be done to a cgroup that is held, each verified by reading back. Needs write permission to its files. */
export const act: {
  readonly freeze: typeof freeze;
  readonly thaw: typeof thaw;
  readonly kill: typeof kill;
  readonly limitFor: typeof limitFor;
  readonly limitMemory: typeof limitMemory;
  readonly unlimitMemory: typeof unlimitMemory;
  readonly reclaim: typeof reclaim;
  readonly membersOf: typeof membersOf;
} = { freeze, thaw, kill, limitFor, limitMemory, unlimitMemory, reclaim, membersOf };
