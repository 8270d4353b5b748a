import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, Secret, writeFileAtomic } from '@nodecore/sys';

import type { ClusterDirectory } from '../directory.ts';
import type { ResetType } from '../redfish/resources.ts';
import type { RedfishMachines } from '../redfish/server.ts';
import { type IpmiServer, serveIpmi } from './server.ts';

/** Who switches the power; as with Redfish. */
const user = 'admin';

/** The file with the password of a cluster's controllers. */
export function ipmiPasswordFile({ secrets }: Pick<ClusterDirectory, 'secrets'>): string {
  return join(secrets, 'ipmi-password');
}

/** Serves a management controller for each machine that has one. */
export async function serveControllers(
  directory: ClusterDirectory,
  machines: RedfishMachines,
  log: (line: string) => void,
): Promise<AsyncDisposable> {
  const password = await passwordOf(directory);
  const servers: IpmiServer[] = [];
  const dispose = async (): Promise<void> => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    password[Symbol.dispose]();
  };
  try {
    for (const { name, uuid, ipmi } of machines.nodes) {
      if (ipmi === undefined) continue;
      const chassis = {
        isOn: () => !['off', 'crashed'].includes(stateOf(machines, name)),
        hasNetworkImage: machines.hasNetworkImage,
        reset: (type: ResetType, fromNetwork: boolean) => {
          machines.reset(name, type, fromNetwork).catch((error: unknown) => log(`${name}: ${String(error)}`));
        },
      };
      // The least significant byte is the first (IPMI 2.0, 20.8).
      const guid = Buffer.from(Buffer.from(uuid.replaceAll('-', ''), 'hex').toReversed());
      servers.push(await serveIpmi(ipmi, { user, password, guid }, chassis));
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return { [Symbol.asyncDispose]: dispose };
}

function stateOf({ reflect }: RedfishMachines, name: string): string {
  return reflect().find((each) => each.name === name)?.state ?? 'off';
}

/** Of 16 characters, which every client takes. */
async function passwordOf(directory: ClusterDirectory): Promise<Secret> {
  const file = ipmiPasswordFile(directory);
  try {
    return Secret.take(await readFile(file));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  await writeFileAtomic(file, randomBytes(12).toString('base64url'));
  return Secret.take(await readFile(file));
}
