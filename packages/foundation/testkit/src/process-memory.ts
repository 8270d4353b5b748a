import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** What is looked for, by name. */
export type Needle = { readonly name: string; readonly bytes: Uint8Array };

/** A needle in the memory of a process, and in which mapping: a path, `[heap]`, `[stack]`, or `anonymous`. */
export type MemoryFinding = { readonly name: string; readonly mapping: string; readonly at: bigint };

/**
 * Looks through everything that a process can read in its own memory, by /proc/PID/mem. Needs to be its parent, or root where the
 * process is not dumpable. The process should stand still: what it moves meanwhile may be missed.
 *
 * @param leaveOut mappings of these flags of proc_pid_smaps(5), such as `wf`: the memory that keys belong in.
 */
export function searchMemory(pid: number, needles: readonly Needle[], leaveOut?: string): MemoryFinding[] {
  const longest = Math.max(...needles.map(({ bytes }) => bytes.length));
  const chunk = Buffer.alloc(4 << 20);
  const found: MemoryFinding[] = [];
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const { begin, end, name: mapping } of mappingsOf(pid, leaveOut)) {
      for (let at = begin; at < end; at += BigInt(chunk.length - longest + 1)) {
        const bytes = read(memory, chunk, at, end);
        // A window holds the beginnings of those that end in it; what spans two is whole in the second.
        const last = at + BigInt(bytes.length) >= end ? bytes.length : chunk.length - longest + 1;
        for (const { name, bytes: needle } of needles)
          for (
            let hit = bytes.indexOf(needle);
            hit !== -1 && hit < last;
            hit = bytes.indexOf(needle, hit + 1)
          )
            found.push({ name, mapping, at: at + BigInt(hit) });
        if (bytes.length < chunk.length) break;
      }
    }
  } finally {
    closeSync(memory);
  }
  return found;
}

/** The flags of every mapping of a process, as proc_pid_smaps(5) has them. */
export function memoryFlags(pid: number | 'self'): readonly (readonly string[])[] {
  const text = readFileSync(`/proc/${pid}/smaps`, 'utf8');
  return [...text.matchAll(/^VmFlags: (.*)$/gm)].map(([, flags = '']) => flags.trim().split(' '));
}

type Mapping = { readonly begin: bigint; readonly end: bigint; readonly name: string };

function mappingsOf(pid: number, leaveOut: string | undefined): Mapping[] {
  const parts = readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return parts.flatMap((part) => {
    const match = /^([0-9a-f]+)-([0-9a-f]+) r\S+ \S+ \S+ \S+ *(.*)$/m.exec(part);
    if (match === null) return [];
    const [, begin = '', end = '', name = ''] = match;
    const flags = /^VmFlags: (.*)$/m.exec(part)?.[1]?.split(' ') ?? [];
    // Address space that was never used has no pages, and V8 has gigabytes of it; devices must not be read by chance.
    if (!/^(Rss|Swap): +[1-9]/m.test(part) || name.startsWith('/dev/')) return [];
    if (leaveOut !== undefined && flags.includes(leaveOut)) return [];
    return [{ begin: BigInt(`0x${begin}`), end: BigInt(`0x${end}`), name: name === '' ? 'anonymous' : name }];
  });
}

function read(memory: number, chunk: Buffer, at: bigint, end: bigint): Buffer {
  const size = Number(end - at < BigInt(chunk.length) ? end - at : BigInt(chunk.length));
  try {
    return chunk.subarray(0, readSync(memory, chunk, 0, size, at as unknown as number));
  } catch {
    return chunk.subarray(0, 0); // guard pages, and what was unmapped since
  }
}
