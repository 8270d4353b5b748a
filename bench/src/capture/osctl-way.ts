import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Osconfig } from '@nodecore/api';
import * as pki from '@nodecore/pki';

import type { BenchAgent } from '../agent.ts';
import { Said, type Way } from './remote-way.ts';

const program = fileURLToPath(new URL('../../../packages/apps/osctl/bin/osctl.js', import.meta.url));

/** The client config of a user who may capture. @returns its path. */
export async function osconfigOf({ ca, endpoint }: BenchAgent, directory: string): Promise<string> {
  const path = join(directory, 'osconfig');
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:capture'] });
  const config = Osconfig.empty(path);
  config.set('bench', { endpoints: [endpoint], ca: ca.crt, crt, key });
  config.use('bench');
  await writeFile(path, config.encode(), { mode: 0o600 });
  return path;
}

/** The agent's API, and `osctl pcap -o`. */
export async function openOsctl(agent: BenchAgent, osconfig: string, path: string): Promise<Way> {
  const child = spawn(process.execPath, [program, 'pcap', '-i', 'right', '-o', path], {
    env: { ...process.env, OSCONFIG: osconfig },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const ended = once(child, 'close');
  const said = new Said(child);
  await said.line(/^capturing on/);
  return {
    nodePids: [agent.pid],
    userPids: [child.pid ?? 0],
    end: async () => {
      child.kill('SIGINT');
      const [, packets] = await said.line(/^(\d+) packets? received/);
      await ended;
      return Number(packets);
    },
    kill: () => child.kill('SIGKILL'),
  };
}
