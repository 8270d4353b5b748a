/** A program: has a key sealed and unsealed as the agent does, forgets it, and stands still to be looked through. */
import { readFile } from 'node:fs/promises';

import { guardMemory, secretMemory } from '@nodecore/native/memory';
import { Secret } from '@nodecore/sys';

import { Connections, parseEndpoint, seal, unseal } from '@nodecore/kms';

guardMemory();
Secret.useArena(secretMemory());
const [endpoint = '', ca = '', file = '', keep = ''] = process.argv.slice(2);
const nodeUuid = '0d5b0b5e-3a3b-4c6e-9a55-6f1f0a7c2d11';
const roots = [await readFile(ca, 'utf8')];
// As in the agent: the connection stands while the program is looked through.
const connections = keep === 'keep' ? new Connections({ idleMs: 60_000 }) : undefined;
{
  using data = Secret.take(await readFile(file));
  const sealed = await seal(parseEndpoint(endpoint), { nodeUuid, data }, { roots, connections });
  using again = await unseal(parseEndpoint(endpoint), { nodeUuid, data: sealed }, { roots, connections });
  if (!again.equals(data)) throw new Error('not what was sealed');
}
process.stdin.resume();
setImmediate(() => console.log('done', roots.length));
