// Plain JavaScript without a dependency: `npm start` asks before anything is set up, by whatever Node.js there is.
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';

/** Rejects when another process has the port of the loopback, with its name where it can be known. */
export async function requireFreePort(port) {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    if (cause.code !== 'EADDRINUSE') throw cause;
    const holder = portHolder(port);
    const by = holder === undefined ? '' : ` by ${holder}`;
    const next = 'choose another with npm start -- --port PORT';
    throw new Error(`port ${port} of 127.0.0.1 is in use${by}: ${next}`, { cause });
  }
  server.close();
  await once(server, 'close');
}

/** The process that listens at a port, and where it works; undefined when none can be seen. */
export function portHolder(port) {
  const sockets = new Set([...listeningInodes(port)].map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return undefined;
  const pid = readdirSync('/proc').find((entry) => /^\d+$/.test(entry) && holdsOne(entry, sockets));
  if (pid === undefined) return undefined;
  const name = attempt(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()) ?? 'a program';
  const directory = attempt(() => readlinkSync(`/proc/${pid}/cwd`));
  return `${name} (process ${pid}${directory === undefined ? '' : ` in ${directory}`})`;
}

/** proc(5), /proc/net/tcp: the second column is the local address, the fourth the state (0A listens), the tenth the inode. */
function* listeningInodes(port) {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of (attempt(() => readFileSync(file, 'utf8')) ?? '').split('\n')) {
      const columns = line.trim().split(/\s+/);
      if (columns[1]?.endsWith(end) && columns[3] === '0A') yield columns[9];
    }
  }
}

function holdsOne(pid, sockets) {
  const descriptors = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []; // another user's, or ended
  return descriptors.some((descriptor) =>
    sockets.has(attempt(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`))),
  );
}

function attempt(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}
