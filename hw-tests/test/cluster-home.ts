import { execFileSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { Programs } from '../src/system/programs.ts';

/** A cluster as `osctl cluster show` prints it. */
export type View = {
  readonly network: { readonly name: string };
  readonly nodes: readonly { readonly name: string; readonly state: string; readonly api: string }[];
};

/** A home with a space in its path, and clusters of its own. */
export class ClusterHome {
  readonly path: string;
  readonly #programs: Programs;
  readonly #noted = new Set<string>();

  constructor(path: string, signal: AbortSignal) {
    this.path = path;
    this.#programs = new Programs(path, signal);
  }

  async osctl(...words: readonly string[]): Promise<string> {
    return await this.#programs.run('osctl', ...words);
  }

  async code(...words: readonly string[]): Promise<number> {
    return (await this.#programs.try('osctl', ...words)).code;
  }

  async refusal(...words: readonly string[]): Promise<string> {
    const { code, stderr } = await this.#programs.try('osctl', ...words);
    if (code === 0) throw new Error(`osctl ${words.join(' ')} is not refused`);
    return stderr.trim();
  }

  async show(name: string): Promise<View> {
    return JSON.parse(await this.osctl('cluster', 'show', '--name', name, '-o', 'json')) as View;
  }

  cluster(name: string): string {
    return join(this.path, '.os', 'clusters', name);
  }

  /** Remembers by which name the kernel knows what a cluster is made of. */
  async note(name: string): Promise<void> {
    const text = await readFile(join(this.cluster(name), 'plan.json'), 'utf8');
    const { lan } = JSON.parse(text) as { readonly lan: { readonly namespace: string } };
    this.#noted.add(lan.namespace);
  }

  /** What the kernel has of the clusters that were noted: network namespaces and cgroups. */
  kernelNames(): readonly string[] {
    const cgroups = globSync(['/sys/fs/cgroup/os-*', '/sys/fs/cgroup/*/os-*']);
    const there = [...cgroups, ...beneathCgroups(), ...readdirSync('/run/netns')];
    return there.filter((path) => [...this.#noted].some((name) => basename(path).startsWith(name)));
  }

  /** What is there of all its clusters: processes, namespaces, mounts, cgroups, directories. */
  remains(): readonly string[] {
    const processes = readdirSync('/proc').filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(join(this.path, '.os'));
      } catch {
        return false; // it has ended
      }
    });
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
    return [
      ...processes,
      ...mounts.filter((line) => line.includes(this.path.replaceAll(' ', '\\040'))),
      ...readdirSync(join(this.path, '.os', 'clusters')),
      ...this.kernelNames(),
    ];
  }
}

/** What the places hold on which cgroups are mounted: nobody sees it otherwise. */
function beneathCgroups(): readonly string[] {
  const look = 'mount --bind /sys/fs/cgroup /mnt && find /mnt -maxdepth 2';
  return execFileSync('unshare', ['--mount', 'sh', '-c', look], { encoding: 'utf8' }).split('\n');
}
