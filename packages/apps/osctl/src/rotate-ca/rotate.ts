import { dirname, join } from 'node:path';

import { loadOsconfig, type OsContext } from '@nodecore/api';
import { print, printFound, readFormat, showProgress, type Terminal, UsageError } from '@nodecore/cli';
import { type Clock, systemClock } from '@nodecore/waiting';

import type { GlobalFlags } from '../global-flags.ts';
import { bundle } from './certificates.ts';
import { saveClient } from './client-context.ts';
import type { AuthorityName } from './configured.ts';
import { dialledNodes, type NamedNodes } from './dialled-nodes.ts';
import { lookAtAll, type Seen } from './look.ts';
import { newRotation } from './new-rotation.ts';
import { planOf, planTable, standing } from './plan.ts';
import { keyNeeded, type Replacement, type Step, takesKey } from './replacement.ts';
import type { Credentials } from './rotating-node.ts';
import { type Pair, readRotation, removeRotation, type Rotation, writeRotation } from './rotation-file.ts';
import { RotationRun } from './rotation-run.ts';
import { SecretsOfCluster } from './secrets-of-cluster.ts';

export type RotateFlags = GlobalFlags &
  NamedNodes & {
    readonly dryRun: boolean;
    readonly os: boolean;
    readonly orch: boolean;
    /** Back to the former authorities. */
    readonly undo?: true;
    readonly until: Step;
    /** Workers that are no more. */
    readonly withoutNodes?: readonly string[];
    readonly rotationFile?: string;
    readonly withSecrets?: string;
    readonly keyServersReady?: true;
    /** Milliseconds. */
    readonly timeout: number;
    readonly output: string;
  };

/** Replaces the authorities of a cluster while it serves, or shows how it would. */
export async function rotateAuthorities(
  flags: RotateFlags,
  terminal: Terminal,
  clock: Clock = systemClock,
): Promise<void> {
  const format = await readFormat(flags.output);
  const names = (['os', 'orch'] as const).filter((name) => flags[name]);
  if (names.length === 0) throw new UsageError('--os=false and --orch=false leave nothing to rotate');
  const osconfig = { flag: flags.osconfig, env: terminal.env };
  const loaded = await loadOsconfig(osconfig);
  const context = loaded.osconfig.context(flags.context);
  if (loaded.location.readOnly && flags.os && !flags.dryRun)
    throw new UsageError(
      `${loaded.location.path} can't be written, and its certificate ends; give another with --osconfig`,
    );
  const present = credentialsOf(context);
  const nodes = dialledNodes(flags, context, terminal);
  const file =
    flags.rotationFile ??
    join(dirname(loaded.location.path), `rotate-ca-${encodeURIComponent(context.name)}.yaml`);
  const kept = await readRotation(file, context.name);
  if (flags.undo === true && kept === undefined)
    throw new UsageError(`there is no ${file}: no rotation has begun that could be undone`);
  const secrets =
    flags.withSecrets === undefined ? undefined : await SecretsOfCluster.read(flags.withSecrets);
  const { controlPlaneNodes: controlPlanes, workerNodes: workers, withoutNodes: gone } = flags;
  const candidates = candidatesOf(present, kept);
  const looked = lookAtAll(nodes, { candidates, controlPlanes, workers, gone, signal: terminal.signal });
  const seen = await looked.catch(async (error: unknown) => {
    await print(terminal.error, 'osctl: nothing was changed: every node has to be ready first\n');
    throw error;
  });
  const rotation = kept ?? (await newRotation(seen, names, context.name, present));
  const replacements = replacementsOf(rotation, names, flags.undo === true ? secrets : undefined, flags);
  // The file is written over at the end. It has the new authority when a run was cut off after it had written that.
  for (const { name, former, next } of replacements) secrets?.requireOneOf(name, [former, next.crt]);
  if (replacements.length === 0)
    throw new UsageError(
      `${kept === undefined ? 'the nodes have' : `${file} is of`} no such authority: nothing to rotate`,
    );
  const rows = planOf(seen, replacements);
  refuseWithoutKey(seen, replacements);
  refuseUnreadyKeyServers(seen, replacements, flags);
  const show = (): Promise<void> =>
    printFound(terminal, format, rows, { single: false, text: () => planTable(rows) });
  if (flags.dryRun) return await show();
  if (kept === undefined) await writeRotation(file, rotation);
  try {
    await showProgress(
      nodes.map(({ name }) => name),
      terminal,
      async (tell) => {
        const client = clientsOf(rotation, flags);
        const os = replacements.find(({ name }) => name === 'os');
        const run = new RotationRun({
          seen,
          replacements,
          client: os && client,
          rows,
          until: flags.until,
          timeoutMs: flags.timeout,
          tell,
          clock,
          signal: terminal.signal,
          saveClient: async (step) => {
            if (os === undefined || client === undefined) return;
            await saveClient(step, { osconfig, context: context.name, os, ...client });
          },
        });
        await run.run();
      },
    );
  } catch (error) {
    const back = flags.undo === true ? '' : ', or with --undo to go back';
    await print(
      terminal.error,
      `osctl: nothing is lost: run it again to go on${back}; its file is ${file}\n`,
    );
    throw error;
  }
  await show();
  await end(file, rotation, { flags, names, secrets, terminal });
}

/** What becomes of the file, and what is left to do. */
async function end(
  file: string,
  rotation: Rotation,
  {
    flags,
    names,
    secrets,
    terminal,
  }: {
    readonly flags: RotateFlags;
    readonly names: readonly AuthorityName[];
    readonly secrets: SecretsOfCluster | undefined;
    readonly terminal: Terminal;
  },
): Promise<void> {
  const say = (line: string): Promise<void> => print(terminal.error, `osctl: ${line}\n`);
  if (flags.until !== 'drop') return await say(`${file} is what the next step goes on with: keep it`);
  const other = (['os', 'orch'] as const).find(
    (name) => rotation[name] !== undefined && !names.includes(name),
  );
  // The only key of what nodes may still have.
  const remove = async (): Promise<string> => {
    if (other !== undefined) return `${file} has the other authority (${other}): keep it`;
    await removeRotation(file);
    return `${file} is removed`;
  };
  if (flags.undo === true) return await say(`the former authorities are back; ${await remove()}`);
  if (secrets === undefined)
    return await say(
      `${file} has the new authorities with their keys: put them into the secrets of the cluster, then remove it`,
    );
  const { os, orch } = rotation;
  await secrets.replace({
    ...(os && names.includes('os') && { os: os.next }),
    ...(orch && names.includes('orch') && { orch: orch.next }),
  });
  await say(`${flags.withSecrets} has the new authorities; ${await remove()}`);
}

function credentialsOf({ name, ca, crt, key }: OsContext): Credentials {
  using secret = key;
  if (ca === undefined || crt === undefined || secret === undefined)
    throw new UsageError(`context "${name}" has no client certificate; add it with osctl config add`);
  return { ca, crt, key: secret.bytes.toString('utf8') };
}

/** A node may be before any step, or behind it. */
function candidatesOf(present: Credentials, kept: Rotation | undefined): readonly Credentials[] {
  if (kept?.os === undefined || kept.client === undefined) return [present];
  const ca = bundle(kept.os.next.crt, kept.os.former.crt);
  const { former, next } = kept.client;
  return [present, former, next].map(({ crt, key }) => ({ crt, key, ca }));
}

function replacementsOf(
  rotation: Rotation,
  names: readonly AuthorityName[],
  secrets: SecretsOfCluster | undefined,
  { undo }: RotateFlags,
): readonly Replacement[] {
  return names.flatMap((name) => {
    const exchange = rotation[name];
    if (exchange === undefined) return [];
    const { former, next } = exchange;
    return undo === true
      ? { name, former: next.crt, next: { crt: former.crt, key: secrets?.keyOf(name, former.crt) } }
      : { name, former: former.crt, next };
  });
}

type Clients = { readonly former: Pair; readonly next: Pair; readonly ca: string | undefined };

function clientsOf({ client }: Rotation, { undo }: RotateFlags): Clients | undefined {
  if (client === undefined) return undefined;
  const { former, next } = client;
  return undo === true ? { former: next, next: former, ca: former.ca } : { former, next, ca: undefined };
}

/**
 * On the way back: no node gives the key of the former authority.
 *
 * @throws {RotationError} `ERR_ROTATION_KEY` with the nodes that have to get it.
 */
function refuseWithoutKey(seen: readonly Seen[], replacements: readonly Replacement[]): void {
  const lacking = replacements.filter(({ next }) => next.key === undefined);
  const needing = seen.filter((each) => lacking.some((replacement) => needsKeyOf(each, replacement)));
  if (needing.length > 0) throw keyNeeded(needing.map(({ node }) => node.name).join(', '));
}

function needsKeyOf(each: Seen, replacement: Replacement): boolean {
  const configured = each.configuration.authority(replacement.name);
  return (
    configured !== undefined &&
    takesKey(configured, each.configuration.isControlPlane) &&
    standing(each, replacement)?.own === 'former'
  );
}

/** A node shows a certificate of its authority to key servers: one that does not know the new authority opens no volume of it. */
function refuseUnreadyKeyServers(
  seen: readonly Seen[],
  replacements: readonly Replacement[],
  { keyServersReady, until, dryRun, undo }: RotateFlags,
): void {
  if (keyServersReady === true || until === 'accept' || dryRun || undo === true) return;
  const os = replacements.find(({ name }) => name === 'os');
  if (os === undefined) return;
  const ahead = seen.filter((each) => standing(each, os)?.own === 'former');
  const servers = [...new Set(ahead.flatMap(({ configuration }) => configuration.keyServers))];
  if (servers.length === 0) return;
  throw new UsageError(
    `volumes of ${ahead
      .filter(({ configuration }) => configuration.keyServers.length > 0)
      .map(({ node }) => node.name)
      .join(
        ', ',
      )} have keys at ${servers.join(', ')}, to which nodes show certificates of their authority: go with --until accept first, ` +
      'have them take the new authority beside the former, then give --key-servers-ready',
  );
}
