import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const cache = fileURLToPath(new URL('../../../.cache/bench/podman', import.meta.url));
const programs = ['podman', 'conmon', 'netavark', 'aardvark-dns'];

/** Debian's podman and what it starts, unpacked and never installed. @returns the directory with its programs, and `lib` in it. */
export async function unpackPodman(): Promise<string> {
  if (await stat(join(cache, 'podman')).catch(() => undefined)) return cache;
  const part = `${cache}.part`;
  await rm(part, { recursive: true, force: true });
  for (const name of ['download', 'tree', 'done/lib']) await mkdir(join(part, name), { recursive: true });
  const run = promisify(execFile);
  const cwd = join(part, 'download');
  // Its name has a number that releases of Debian differ in.
  const { stdout } = await run('apt-cache', ['depends', 'podman']);
  const library = /Depends: (libsubid\d+)$/m.exec(stdout)?.[1] ?? 'libsubid4';
  const packages = ['podman', 'conmon', 'netavark', 'aardvark-dns', library];
  await run('apt-get', ['-o', 'APT::Sandbox::User=root', 'download', ...packages], { cwd });
  for (const name of await readdir(cwd))
    await run('dpkg-deb', ['--extract', join(cwd, name), join(part, 'tree')]);
  for (const path of await readdir(join(part, 'tree', 'usr'), { recursive: true })) {
    const name = path.split('/').at(-1) ?? '';
    const isProgram = programs.includes(name) && /^(?:bin|lib\/podman)\//.test(path);
    const isLibrary = name.startsWith('libsubid.so.');
    if (!isProgram && !isLibrary) continue;
    await cp(join(part, 'tree', 'usr', path), join(part, 'done', isLibrary ? 'lib' : '', name), {
      dereference: true,
    });
  }
  await rm(cache, { recursive: true, force: true });
  await rename(join(part, 'done'), cache);
  await rm(part, { recursive: true });
  return cache;
}

/** The cgroups that podman makes for itself, in either version. */
function cgroups(): readonly string[] {
  return globSync('/sys/fs/cgroup/{,*/}libpod_parent{/*/,}');
}

/** Where podman has not been used before, the empty cgroups that it leaves on this computer go when the work is done. */
export async function leavingNoCgroups<Result>(work: () => Promise<Result>): Promise<Result> {
  const wasUsed = cgroups().length > 0;
  try {
    return await work();
  } finally {
    if (!wasUsed) for (const path of cgroups().toSorted((a, b) => b.length - a.length)) await rmdir(path);
  }
}
