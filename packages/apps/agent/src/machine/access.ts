import { methodPaths, rolesFor } from '@nodecore/api';
import type { AccessResponseInit } from '@nodecore/api/machine';

import { type Caller, mayCall } from '../server/caller.ts';

/** What a caller may, by the rule that each of their calls is judged by. */
export function accessOf(caller: Caller): AccessResponseInit {
  const { name, roles, maintenance } = caller;
  const methods = methodPaths().map((path) => ({
    method: path.replace(/^\/nodecore\.v1\./, ''),
    allowed: mayCall(caller, path),
    roles: [...rolesFor(path)],
  }));
  return { name, roles: [...roles], maintenance, methods };
}
