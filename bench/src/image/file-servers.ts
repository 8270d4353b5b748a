import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { findProgram } from '@nodecore/testkit/program';

const [plain, token] = ['plain-server.ts', 'token-server.ts'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
) as [string, string];

/** A program that serves, and ends with the stack. */
export type FileServer = { readonly pid: number; readonly url: string };

/** node:http and a pipeline. */
export async function nodeServer(stack: AsyncDisposableStack, path: string): Promise<FileServer> {
  return await sayingPort(stack, [plain, path]);
}

/** node:http for who has a token. */
export async function tokenServer(stack: AsyncDisposableStack, publicKey: string): Promise<FileServer> {
  return await sayingPort(stack, [token, publicKey]);
}

async function sayingPort(stack: AsyncDisposableStack, argv: readonly string[]): Promise<FileServer> {
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  stack.defer(async () => {
    child.kill();
    await ended;
  });
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}/` };
}

/** nginx, one process, with sendfile. */
export async function nginx(stack: AsyncDisposableStack, path: string): Promise<FileServer> {
  const directory = dirname(path);
  const port = await freePort();
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(directory, name)};`,
  );
  const configuration = join(directory, 'nginx.conf');
  await writeFile(
    configuration,
    `daemon off; master_process off; pid ${join(directory, 'nginx.pid')}; error_log stderr crit;
events {}
http {
  access_log off; sendfile on; tcp_nopush on; ${places.join(' ')}
  server { listen 127.0.0.1:${port}; root ${directory}; }
}
`,
  );
  const program = findProgram('nginx');
  if (program === undefined) throw new Error('no nginx on this machine: run scripts/setup');
  const child = spawn(program, ['-p', directory, '-c', configuration, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  stack.defer(async () => {
    child.kill();
    await ended;
  });
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}/${basename(path)}` };
}

/** nginx does not say which port it has chosen. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
