/** Does something with the memory of this process, tells facts about it as JSON, and stands still. For the tests of memory. */
import { readFileSync, statSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';

import { memoryFlags } from '../../packages/foundation/testkit/src/process-memory.ts';

import { guardMemory, secretMemory } from '../src/memory.ts';

const told: string[] = [];
const { allocate: take } = secretMemory({
  onUnlocked: ({ code, syscall }) => told.push(`${code} ${syscall}`),
});
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
const programs: Readonly<Record<string, () => object | Promise<object>>> = {
  pages,
  blocks,
  again,
  guard,
  freed: () => freed(),
  'freed-guarded': () => {
    guardMemory();
    return freed();
  },
};

process.stdin.resume();
console.log(JSON.stringify(await programs[process.argv[2] ?? '']?.()));

/** The mappings of memory for keys: none other is wiped on fork. */
function regions(): readonly (readonly string[])[] {
  return memoryFlags('self').filter((flags) => flags.includes('wf'));
}

function pages(): object {
  const kept = new Uint8Array(take(32)).fill(7);
  take(200_000);
  take(200_000);
  const flags = ['lo', 'dd', 'wf'].filter((flag) => regions().every((each) => each.includes(flag)));
  return { told, kept: kept.every((byte) => byte === 7), flags };
}

function blocks(): object {
  const sizes = Array.from({ length: 500 }, (_, at) => 1 + ((at * 37) % 700));
  const held = sizes.map((size) => new Uint8Array(take(size)));
  const zeros = held.every((block) => block.every((byte) => byte === 0));
  held.forEach((block, at) => block.fill(at % 251));
  const overlaps = held.filter((block, at) => block.some((byte) => byte !== at % 251)).length;
  return { zeros, overlaps, large: take(300_000).byteLength };
}

/** Ten megabytes of blocks that are dropped, each with a pattern that nobody wiped. */
async function again(): Promise<object> {
  for (let round = 0; round < 100; round += 1) {
    for (let block = 0; block < 100; block += 1) new Uint8Array(take(1000)).fill(0xa7);
    collect();
    await turn();
  }
  return { regions: regions().length };
}

function owner(): number {
  return statSync('/proc/self/mem').uid;
}

function guard(): object {
  const ownerBefore = owner();
  guardMemory();
  const [core = ''] = /^Max core file size.*$/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return { ownerBefore, ownerAfter: owner(), core: core.trim().replaceAll(/ +/g, ' ') };
}

/** A buffer as libraries have them, in the memory of malloc, that was let go. */
async function freed(): Promise<object> {
  for (let block = 0; block < 100; block += 1) new Uint8Array(new ArrayBuffer(40_000)).fill(0x9b);
  for (let round = 0; round < 5; round += 1) {
    collect();
    await turn();
  }
  return {};
}
