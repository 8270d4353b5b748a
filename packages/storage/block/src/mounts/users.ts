import { readdir, readFile, readlink, stat } from 'node:fs/promises';

import { readMounts } from './mountinfo.ts';

/** Why a mount can't go: mounts below it and processes that hold files on it, one sentence each. Needs root to see all. */
export async function mountUsers(target: string): Promise<string[]> {
  const prefix = target.endsWith('/') ? target : `${target}/`;
  const below = (await readMounts()).filter((mount) => mount.target.startsWith(prefix));
  const { dev } = await stat(target);
  const processes = await Promise.all((await processIds()).map((pid) => processOn(pid, dev)));
  return [
    ...below.map((mount) => `${mount.target} is mounted below it`),
    ...processes.filter((sentence) => sentence !== undefined),
  ];
}

async function processIds(): Promise<string[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
}

async function processOn(pid: string, device: number): Promise<string | undefined> {
  for (const link of await links(pid)) {
    try {
      if ((await stat(link)).dev !== device) continue;
      const name = (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
      return `process ${pid} (${name}) uses ${await readlink(link)}`;
    } catch {
      // The file or the process is gone meanwhile.
    }
  }
  return undefined;
}

async function links(pid: string): Promise<string[]> {
  const base = `/proc/${pid}`;
  try {
    const descriptors = await readdir(`${base}/fd`);
    return [`${base}/cwd`, `${base}/root`, `${base}/exe`, ...descriptors.map((fd) => `${base}/fd/${fd}`)];
  } catch {
    return []; // ended, or not ours to look at
  }
}
