/**
 * Writes what a new part of the system consists of: `npm run new -- command|rpc|resource|feature NAME [--dry-run]`.
 * With --dry-run it prints what it would write.
 */
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

import { Changes, shown } from './change.ts';
import { NewError } from './errors.ts';
import { finish } from './finish.ts';
import { type Part, partNames, type Place, plan } from './plan.ts';

const checkout = fileURLToPath(new URL('../../../../..', import.meta.url));

try {
  const { part, name, dryRun, ...place } = readArguments(process.argv.slice(2));
  const changes = new Changes(checkout);
  await plan(changes, part, name, place);
  if (dryRun) for (const change of changes.all) console.log(`${shown(change)}\n`);
  else {
    const paths = await changes.write();
    if (!finish(checkout, paths)) process.exitCode = 1;
    for (const { path, before } of changes.all)
      console.log(`${before === undefined ? 'new ' : 'edit'}  ${path}`);
  }
} catch (error) {
  if (!(error instanceof NewError)) throw error;
  console.error(`new: ${error.message}`);
  process.exitCode = error.code === 'ERR_NEW_PLACE' ? 1 : 2;
}

type Arguments = Place & {
  readonly part: Part;
  readonly name: string;
  readonly dryRun: boolean;
};

function readArguments(args: readonly string[]): Arguments {
  const usage = `npm run new -- ${partNames.join('|')} NAME [--service SERVICE] [--feature FEATURE] [--dry-run]`;
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean' }, service: { type: 'string' }, feature: { type: 'string' } },
    });
  } catch (error) {
    throw new NewError('ERR_NEW_USAGE', `${(error as Error).message}; ${usage}`);
  }
  const [given, name, ...others] = parsed.positionals;
  const part = partNames.find((each) => each === given);
  if (part === undefined || name === undefined || others.length > 0)
    throw new NewError('ERR_NEW_USAGE', usage);
  const { service, feature, 'dry-run': dryRun = false } = parsed.values;
  return { part, name, service, feature, dryRun };
}
