import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as pki from '@nodecore/pki';

import type { Authority } from '../agent.ts';
import { Said, type Way } from './remote-way.ts';

/** Ours alone in this network namespace. */
const port = 4433;

/** Certificates of both ends. @returns the directory that has them. */
export async function writeCertificates(ca: Authority, directory: string): Promise<string> {
  const ends = {
    user: await pki.issueServer(ca, { names: ['127.0.0.1'] }),
    node: await pki.issueClient(ca, { roles: ['os:capture'] }),
  };
  await writeFile(join(directory, 'ca.crt'), ca.crt);
  for (const [name, { crt, key }] of Object.entries(ends)) {
    await writeFile(join(directory, `${name}.crt`), crt);
    await writeFile(join(directory, `${name}.key`), key.bytes, { mode: 0o600 });
  }
  return directory;
}

/**
 * `tcpdump -w - | openssl s_client` on the node, `openssl s_server` at the user's: the node connects, as s_server does not
 * end with its input.
 */
export async function openOpenssl(directory: string, path: string): Promise<Way> {
  const identity = (name: string): string[] => [
    '-CAfile',
    join(directory, 'ca.crt'),
    '-verify_return_error',
    '-quiet',
    '-cert',
    join(directory, `${name}.crt`),
    '-key',
    join(directory, `${name}.key`),
  ];
  const file = await open(path, 'w', 0o600);
  // It reads its standard input and would see an end again and again: a pipe that nobody writes to has none.
  const user = spawn(
    'openssl',
    ['s_server', '-accept', `127.0.0.1:${port}`, '-naccept', '1', '-Verify', '1', ...identity('user')],
    { stdio: ['pipe', file.fd, 'ignore'] },
  );
  await file.close();
  const received = once(user, 'close');
  while (!(await isListening())) await new Promise(setImmediate);
  // -quiet alone would go on after the end of its input.
  const connect = ['openssl', 's_client', '-connect', `127.0.0.1:${port}`, ...identity('node')];
  const capture = ['tcpdump', '-i', 'right', '-n', '-p', '-B', '65536', '-Z', 'root', '-w', '-'];
  // Of standard error only what tcpdump says: the two would write into each other's lines.
  const pipeline = [...capture, '|', ...connect, '-no_ign_eof', '-nocommands', '2>', '/dev/null'].join(' ');
  const node = spawn('sh', ['-c', pipeline], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = new Said(node);
  await said.line(/^tcpdump: listening on/);
  const nodePids = await childrenOf(node.pid ?? 0);
  const pidOf = async (name: string): Promise<number> => {
    for (const pid of nodePids) {
      if ((await readFile(`/proc/${pid}/comm`, 'utf8')).trim() === name) return pid;
    }
    throw new Error(`no ${name} among ${nodePids.join(', ')}`);
  };
  const tcpdump = await pidOf('tcpdump');
  return {
    nodePids,
    userPids: [user.pid ?? 0],
    end: async () => {
      process.kill(tcpdump, 'SIGINT');
      const [, packets] = await said.line(/^(\d+) packets? captured/);
      await received;
      return Number(packets);
    },
    kill: () => {
      for (const pid of nodePids) killIfThere(pid);
      user.kill('SIGKILL');
    },
  };
}

async function isListening(): Promise<boolean> {
  const local = `0100007F:${port.toString(16).toUpperCase()}`;
  return new RegExp(`: ${local} \\S+ 0A `).test(await readFile('/proc/self/net/tcp', 'utf8'));
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}
