import { Argument } from 'commander';
import { completes, UsageError } from '@nodecore/cli';

import { filePaths } from '../nodes/completers.ts';

/** An argument that is a path on the node, completed with what is there. */
export function withRemotePath(name: string, description: string): Argument {
  return completes(new Argument(name, description), filePaths);
}

/** A path on a node as bytes. @throws {UsageError} */
export function remotePath(path: string): Uint8Array {
  if (!path.startsWith('/')) throw new UsageError(`${path} is no path on a node: those begin with /`);
  return Buffer.from(path);
}
