import type { Cgroup, CgroupName, CgroupsResponse } from '@nodecore/api/cgroup';
import { ratedText } from '@nodecore/cgroup/schema';

/** A cgroup of a node, as far as its files were asked for. */
export type SeenCgroup = {
  readonly path: string;
  readonly name: CgroupName | undefined;
  readonly processes: readonly string[];
  /** The text of a file, undefined when it is absent. */
  readonly text: (file: string) => string | undefined;
  /** Growth per second of a counter; undefined when there is no telling. */
  readonly rate: (file: string, counter: string) => number | undefined;
  /** The text of a file with growth per second in place of its counters. */
  readonly ratedText: (file: string) => string | undefined;
};

/** Puts the messages of a call together, so that after each sample all of the node's cgroups are there. */
export class CgroupsView {
  readonly #cgroups = new Map<number, Entry>();
  readonly #devices = new Map<string, string>();
  #files: readonly string[] = [];
  #elsewhere: readonly string[] = [];
  #sample = 0;

  /** Takes the next message. @returns whether it completes a sample. */
  accept({ start, cgroups, sample }: CgroupsResponse): boolean {
    if (start !== undefined) this.#begin(start.files, start.elsewhere);
    for (const cgroup of cgroups?.cgroups ?? []) {
      const entry = this.#cgroups.get(cgroup.id) ?? new Entry(cgroup, this.#sample);
      this.#cgroups.set(cgroup.id, entry);
      entry.update(cgroup, this.#files, this.#sample);
    }
    if (sample === undefined) return false;
    for (const id of sample.gone) this.#cgroups.delete(id);
    for (const { number, name } of sample.devices) this.#devices.set(number, name);
    for (const entry of this.#cgroups.values()) entry.complete(this.#sample);
    this.#sample += 1;
    return true;
  }

  /** How many samples are complete; from the second on there are rates. */
  get samples(): number {
    return this.#sample;
  }

  /** Controllers that this node has in a cgroup v1 hierarchy. */
  get elsewhere(): readonly string[] {
    return this.#elsewhere;
  }

  /** Parents before children. */
  get cgroups(): readonly SeenCgroup[] {
    return [...this.#cgroups.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  /** `sda` for `8:0`. */
  deviceName(number: string): string | undefined {
    return this.#devices.get(number);
  }

  /** Another call, after the connection was lost: its numbers are its own. */
  #begin(files: readonly string[], elsewhere: readonly string[]): void {
    this.#files = files;
    this.#elsewhere = elsewhere;
    this.#sample = 0;
    this.#cgroups.clear();
  }
}

type Rates = ReadonlyMap<string, number | undefined>;

class Entry implements SeenCgroup {
  readonly path: string;
  readonly name: CgroupName | undefined;
  processes: readonly string[] = [];
  readonly #appeared: number;
  readonly #texts = new Map<string, string>();
  /** Of the last sample, by file; counters that aren't there have not grown. */
  #rates = new Map<string, Rates>();
  #ratedAt = -1;
  #sample = 0;

  constructor({ path, name }: Cgroup, sample: number) {
    this.path = path;
    this.name = name;
    this.#appeared = sample;
  }

  update({ files, processes }: Cgroup, names: readonly string[], sample: number): void {
    this.#rates = new Map();
    this.#ratedAt = sample;
    for (const { file, text, absent, errno, rates } of files) {
      const name = names[file] ?? '';
      if (name === 'cgroup.procs') this.processes = processes;
      if (absent || errno !== 0) {
        this.#texts.delete(name);
        continue;
      }
      this.#texts.set(name, text);
      const perSecond = rates.map(
        ({ counter, perSecond, reset }) => [counter, reset ? undefined : perSecond] as const,
      );
      this.#rates.set(name, new Map(perSecond));
    }
  }

  complete(sample: number): void {
    this.#sample = sample;
  }

  text(file: string): string | undefined {
    return this.#texts.get(file);
  }

  rate(file: string, counter: string): number | undefined {
    if (this.#appeared === this.#sample) return undefined;
    const rates = this.#ratedAt === this.#sample ? this.#rates.get(file) : undefined;
    return rates?.has(counter) === true ? rates.get(counter) : 0;
  }

  ratedText(file: string): string | undefined {
    const text = this.text(file);
    return text === undefined ? undefined : ratedText(file, text, (counter) => this.rate(file, counter));
  }
}
