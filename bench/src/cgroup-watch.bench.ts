import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { type BenchAgent, startAgent } from './agent.ts';
import { cpuMs } from './cpu-time.ts';
import { archive, archived } from './cgroup/peers.ts';
import { files, makeTree, type Tree } from './cgroup/tree.ts';
import { ask, type Bench } from './question.ts';

/** Seconds of a watch, and archives, per measurement: the kernel counts in hundredths of a second. */
const looks = 5;

export const bench: Bench = {
  async prepare(stack) {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(directory, { recursive: true }));
    const archiveFile = join(directory, 'tree.tgz');
    const tree = await makeTree(stack, 1000);
    const watch = stack.use(new Watch(await startAgent(stack, directory), tree));
    return [
      ask<readonly string[]>({
        name: 'cgroup-watch-cpu',
        question:
          `How much processor time does the agent take per second for a watch of ${files.length} files of 1000 cgroups at 1 Hz, ` +
          'and an archive of the tree per second?',
        gate: 1 / 5,
        rounds: 7,
        unit: 'ms',
        ours: {
          name: 'agent, CgroupService.Watch',
          run: () => watch.paths(),
          sample: () => watch.cpuPerSampleMs(),
        },
        peer: {
          name: 'tar czf',
          run: async () => [
            '/',
            ...(await archived(tree, archiveFile)).map((path) => path.replace(/\/$/, '')),
          ],
          sample: async () => {
            const before = await cpuMs(process.pid, 'children');
            for (let look = 0; look < looks; look += 1) await archive(tree, archiveFile);
            return ((await cpuMs(process.pid, 'children')) - before) / looks;
          },
        },
      }),
    ];
  },
};

/** One watch of a tree, which goes on while the peer is measured. */
class Watch implements AsyncDisposable {
  readonly #agent: BenchAgent;
  readonly #prefix: string;
  readonly #end = new AbortController();
  readonly #running: Promise<void>;
  readonly #paths: string[] = [];
  #sampled = Promise.withResolvers<void>();

  constructor(agent: BenchAgent, { directory }: Tree) {
    this.#agent = agent;
    this.#prefix = `/${basename(directory)}`;
    this.#running = this.#follow();
  }

  /** Of all cgroups, below the tree. */
  async paths(): Promise<readonly string[]> {
    await this.#sampled.promise;
    return this.#paths.toSorted();
  }

  async cpuPerSampleMs(): Promise<number> {
    await this.#sampled.promise;
    const before = await this.#agent.cpuMs();
    for (let look = 0; look < looks; look += 1) await this.#sampled.promise;
    return ((await this.#agent.cpuMs()) - before) / looks;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#running.catch(() => {});
  }

  async #follow(): Promise<void> {
    const what = { files, cgroup: this.#prefix };
    const messages = this.#agent.reader.watchCgroups(
      { what, intervalMillis: 1000 },
      { signal: this.#end.signal },
    );
    try {
      for await (const { cgroups, sample } of messages) {
        for (const { path, elapsedNanos } of cgroups?.cgroups ?? [])
          if (elapsedNanos === 0n) this.#paths.push(path.slice(this.#prefix.length) || '/');
        if (sample === undefined) continue;
        const sampled = this.#sampled;
        this.#sampled = Promise.withResolvers();
        sampled.resolve();
      }
    } catch (error) {
      this.#sampled.promise.catch(() => {}); // when nobody waits for it at the end
      this.#sampled.reject(error);
      throw error;
    }
  }
}
