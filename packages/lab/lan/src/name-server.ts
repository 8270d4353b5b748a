import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { dnsmasqConfig } from './dnsmasq.ts';
import { memberEnvironment } from './holder.ts';
import { InsideProgram, type ProgramSpec } from './inside-program.ts';
import type { Namespace } from './namespace.ts';
import { hostResolvers } from './resolvers.ts';
import type { LanSpec } from './spec.ts';
import { hasWayOut } from './way-out.ts';

/** By which a network's server is known among processes. */
export function configOption(directory: string): string {
  return `--conf-file=${join(directory, configName)}`;
}

const configName = 'dnsmasq.conf';

/**
 * Starts dnsmasq in a namespace, and again when it ends by itself: without it hosts lose their addresses in minutes. It ends with the
 * result; when this process is killed, the next server of the network ends it, or removes it with the namespace. What it has to say
 * goes to `dnsmasq.log` in the directory.
 *
 * @param say hears when it ended and is started again.
 * @throws {LanError} `ERR_LAN_COMMAND` with its words when it does not start.
 */
export async function startNameServer(
  namespace: Namespace,
  spec: LanSpec,
  directory: string,
  say: (line: string) => void,
): Promise<InsideProgram> {
  const [config, pid, log] = [configName, 'dnsmasq.pid', 'dnsmasq.log'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  const servers = hasWayOut(spec) ? await hostResolvers(spec) : [];
  await writeFile(config, dnsmasqConfig(spec, servers), { mode: 0o644 });
  // It reads and writes its files as root, and serves as nobody; where nobody is root it serves as who it is.
  const users = process.getuid?.() === 0 ? [] : ['--user=', '--group='];
  const mark = configOption(directory);
  const program: ProgramSpec = {
    name: 'dnsmasq',
    argv: ['dnsmasq', mark, `--pid-file=${pid}`, ...users],
    env: memberEnvironment(namespace.name, process.env),
    mark,
    log,
    ready: { file: pid },
  };
  // What a killed process has left was ended before.
  return await InsideProgram.start(namespace, program, say, { hasFormer: false });
}
