import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Formats what was written, and generates what follows from proto files, commands and types of resources. @returns whether all of that succeeded. */
export function finish(checkout: string, paths: readonly string[]): boolean {
  const sources = paths.filter((path) => /\.(?:ts|md)$/u.test(path));
  const programs = [[join(checkout, 'node_modules/.bin/oxfmt'), ...sources]];
  if (paths.some((path) => path.endsWith('.proto')))
    programs.push([process.execPath, '--conditions=source', 'packages/contract/api/src/generate.ts']);
  if (paths.some((path) => path.startsWith('packages/apps/osctl/src/schema/')))
    programs.push([process.execPath, '--conditions=source', 'packages/apps/osctl/src/schema/generate.ts']);
  if (paths.some((path) => path.startsWith('packages/apps/agent/src/') && path.endsWith('/definitions.ts')))
    programs.push([process.execPath, '--conditions=source', 'packages/apps/agent/src/resources/generate.ts']);
  return programs
    .map(([program = '', ...args]) =>
      spawnSync(program, args, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] }),
    )
    .every(({ status }) => status === 0);
}
