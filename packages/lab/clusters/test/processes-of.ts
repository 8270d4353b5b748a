import { readdir, readFile, readlink } from 'node:fs/promises';

/** What a directory owns of this computer: processes that work in it, name it, or have a file of it open. */
export async function processesOf(path: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const own = await Promise.all(
    pids.map(async (pid) => {
      const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const place = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      const files = await readdir(`/proc/${pid}/fd`).catch((): string[] => []);
      const links = await Promise.all(files.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
      return words.includes(path) || [place, ...links].some((each) => each.startsWith(path));
    }),
  );
  return pids.filter((_, index) => own[index]).map(Number);
}
