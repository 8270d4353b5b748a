import { type DiscoveredVolume, list, openScanner } from '@nodecore/block';

import { loopFarm } from './loop-farm.ts';
import { runProgram } from './program.ts';
import { ask, type Bench } from './question.ts';

/** What both sides must agree on, for every node. */
type Answer = Record<
  string,
  {
    readonly size: string;
    readonly type: string;
    readonly uuid: string;
    readonly label: string;
    readonly blockSize: string;
    readonly partitionUuid: string;
    readonly partitionLabel: string;
    readonly partitionNumber: string;
  }
>;

const disks = 256;

export const bench: Bench = {
  async prepare(stack) {
    const { nodes } = await loopFarm(stack, disks);
    const scanner = stack.use(openScanner());
    await scanner.scan();
    const peer = { name: 'lsblk -O -J + blkid -p', run: () => programs(nodes) };
    const what = `the content of ${nodes.length} nodes on ${disks} disks`;
    return [
      ask({
        name: 'block-discovery-first',
        question: `How long does it take to find out ${what}?`,
        gate: 0.3,
        ours: { name: 'block.list', run: async () => answer(nodes, (await list()).volumes) },
        peer,
      }),
      ask({
        name: 'block-discovery-again',
        question: `How long does it take to make sure of ${what} once more?`,
        gate: 0.18,
        ours: { name: 'scanner.scan', run: async () => answer(nodes, (await scanner.scan()).volumes) },
        peer,
      }),
    ];
  },
};

function answer(nodes: readonly string[], volumes: readonly DiscoveredVolume[]): Answer {
  const byPath = new Map(volumes.map((volume) => [volume.devPath, volume]));
  return Object.fromEntries(nodes.map((node) => [node, fields(byPath.get(node))]));
}

function fields(volume: DiscoveredVolume | undefined): Answer[string] {
  const { size = 0n, name = '', uuid = '', label = '', blockSize = 0 } = volume ?? {};
  const { partitionUuid = '', partitionLabel = '', partitionIndex = 0 } = volume ?? {};
  return {
    size: String(size),
    type: name === 'luks' ? 'crypto_LUKS' : name,
    uuid,
    label,
    blockSize: blockSize === 0 ? '' : String(blockSize),
    partitionUuid,
    partitionLabel,
    partitionNumber: partitionIndex === 0 ? '' : String(partitionIndex),
  };
}

type LsblkDevice = {
  readonly path: string;
  readonly size: number;
  readonly children?: readonly LsblkDevice[];
};

/** The facts from lsblk, the content from blkid, which reads the devices as we do and asks no device manager. */
async function programs(nodes: readonly string[]): Promise<Answer> {
  const facts = await runProgram(['lsblk', '--output-all', '--json', '--bytes']);
  const contents = await runProgram(['blkid', '--probe', '--output', 'export', ...nodes]);
  const { blockdevices } = JSON.parse(facts) as { readonly blockdevices: readonly LsblkDevice[] };
  const sizes = new Map(
    blockdevices.flatMap((disk) => [disk, ...(disk.children ?? [])]).map(({ path, size }) => [path, size]),
  );
  const found = new Map(contents.split('\n\n').map((block) => values(block)));
  return Object.fromEntries(
    nodes.map((node) => {
      const text = (name: string): string => found.get(node)?.get(name) ?? '';
      return [
        node,
        {
          size: String(sizes.get(node)),
          type: text('TYPE') || text('PTTYPE'),
          uuid: text('TYPE') === '' ? text('PTUUID') : text('UUID'),
          label: text('LABEL'),
          blockSize: text('BLOCK_SIZE'),
          partitionUuid: text('PART_ENTRY_UUID'),
          partitionLabel: text('PART_ENTRY_NAME'),
          partitionNumber: text('PART_ENTRY_NUMBER'),
        },
      ];
    }),
  );
}

function values(block: string): readonly [string, ReadonlyMap<string, string>] {
  const pairs = block.split('\n').map((line) => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)] as const;
  });
  const map = new Map(pairs);
  return [map.get('DEVNAME') ?? '', map];
}
