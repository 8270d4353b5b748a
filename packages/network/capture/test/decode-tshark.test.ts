import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { corpus } from './corpus.ts';
import { decode, flat } from './decoding.ts';
import { pcapFile } from './pcap-file.ts';
import { type Agreement, agreements, sameStack, tsharkStack } from './tshark-fields.ts';

/** Each packet for itself: nothing is put together, and nothing is told from what came before. */
const options = [
  'ip.defragment:FALSE',
  'ipv6.defragment:FALSE',
  'tcp.desegment_tcp_streams:FALSE',
  'tcp.analyze_sequence_numbers:FALSE',
  'tcp.relative_sequence_numbers:FALSE',
].flatMap((option) => ['-o', option]);
const arguments_ = [
  '-n',
  ...options,
  '-d',
  'udp.port==443,quic',
  '-d',
  'tcp.port==53535,dns',
  '-T',
  'json',
  '--no-duplicate-keys',
];

type Tree = { readonly [key: string]: unknown };

async function dissect(path: string): Promise<readonly Tree[]> {
  const stdout = await output(['tshark', ...arguments_, '-r', path]);
  const packets = JSON.parse(stdout) as { _source: { layers: Tree } }[];
  return packets.map(({ _source }) => _source.layers);
}

/** Every value of a key, wherever it is, in the order of the packet. */
function valuesOf(tree: unknown, key: string): readonly unknown[] {
  if (Array.isArray(tree)) return tree.flatMap((each) => valuesOf(each, key));
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]) => {
    if (name !== key) return valuesOf(value, key);
    return Array.isArray(value) ? value : [value];
  });
}

const linkTypes = [...new Set(corpus.map(({ linkType }) => linkType))];

testWith(program('tshark'))(
  'tshark agrees on protocols, addresses, ports, flags and lengths of every packet',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const differences: string[] = [];
    let compared = 0;
    for (const linkType of linkTypes) {
      const samples = corpus.filter((each) => each.linkType === linkType);
      const path = join(directory, `${linkType}.pcap`);
      await writeFile(path, pcapFile(samples, linkType));
      const theirs = await dissect(path);
      t.is(theirs.length, samples.length);
      for (const [index, sample] of samples.entries()) {
        const tree = theirs[index] ?? {};
        const layers = flat(decode(sample).layers);
        const stack = tsharkStack(String(valuesOf(tree, 'frame.protocols')[0]));
        if (stack !== sameStack(layers))
          differences.push(`${sample.name}: ${sameStack(layers)}, theirs ${stack}`);
        for (const { field, ours, found } of agreements.flatMap((each) => pairs(each, tree, layers))) {
          compared += ours.length;
          if (isDeepStrictEqual(ours, found)) continue;
          differences.push(`${sample.name}, ${field}: ${ours.join(' ')}, theirs ${found.join(' ')}`);
        }
      }
    }
    t.deepEqual(differences, []);
    t.true(compared > 1000, `${compared} values were compared`);
  },
);

type Pair = { readonly field: string; readonly ours: readonly unknown[]; readonly found: readonly unknown[] };

/** What we and they say about each field, from the outermost layer to the innermost. */
function pairs({ protocols, fields }: Agreement, tree: Tree, all: ReturnType<typeof flat>): readonly Pair[] {
  const layers = all.filter(({ protocol }) => protocols.includes(protocol));
  if (layers.length === 0) return [];
  return Object.entries(fields).map(([field, read]) => {
    const ours = layers.flatMap((layer) => read(layer as never) ?? []);
    const numeric = typeof ours[0] === 'number';
    return { field, ours, found: valuesOf(tree, field).map((value) => (numeric ? Number(value) : value)) };
  });
}
