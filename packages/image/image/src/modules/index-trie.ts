/** What an index says for a key; of several the one with the lowest rank comes first. */
export type IndexEntry = { readonly key: string; readonly value: string; readonly rank: number };

type Node = {
  /** What all keys below have behind the character that leads here. */
  prefix: string;
  readonly values: { readonly value: string; readonly rank: number }[];
  /** By character code. */
  readonly children: Map<number, Node>;
};

const magic = 0xb007f457;
const version = 0x00020001;
const headBytes = 12;
/** In the upper bits of a place: what the node there has. */
const [hasPrefix, hasValues, hasChildren] = [0x80000000, 0x40000000, 0x20000000];

/**
 * An index as libkmod reads it (`libkmod-index.c`): a radix tree with numbers in big-endian form, each node behind its children.
 * Keys are ASCII without zeros.
 */
export function moduleIndex(entries: readonly IndexEntry[]): Buffer {
  const root: Node = { prefix: '', values: [], children: new Map() };
  for (const entry of entries) insert(root, entry);
  const parts: Buffer[] = [Buffer.alloc(headBytes)];
  const place = { bytes: headBytes };
  const put = (part: Buffer): void => {
    parts.push(part);
    place.bytes += part.length;
  };
  const start = write(root, put, place);
  parts[0] = numbers([magic, version, start]);
  return Buffer.concat(parts);
}

function insert(root: Node, { key, value, rank }: IndexEntry): void {
  let node = root;
  let rest = key;
  for (;;) {
    const shared = sharedLength(node.prefix, rest);
    if (shared < node.prefix.length) split(node, shared);
    rest = rest.slice(shared);
    if (rest === '') break;
    const code = rest.charCodeAt(0);
    rest = rest.slice(1);
    const next = node.children.get(code);
    if (next === undefined) {
      node.children.set(code, { prefix: rest, values: [{ value, rank }], children: new Map() });
      return;
    }
    node = next;
  }
  const at = node.values.findIndex((other) => other.rank >= rank);
  node.values.splice(at < 0 ? node.values.length : at, 0, { value, rank });
}

/** What the node has goes to a child, behind the first characters of its prefix. */
function split(node: Node, length: number): void {
  const { prefix, values, children } = node;
  const lower: Node = { prefix: prefix.slice(length + 1), values: [...values], children: new Map(children) };
  node.prefix = prefix.slice(0, length);
  values.length = 0;
  children.clear();
  children.set(prefix.charCodeAt(length), lower);
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** @returns where the node is, with what it has. */
function write(node: Node, put: (part: Buffer) => void, place: { readonly bytes: number }): number {
  const codes = [...node.children.keys()];
  const [first, last] = [Math.min(...codes), Math.max(...codes)];
  const places: number[] = [];
  for (let code = first; code <= last; code += 1) {
    const child = node.children.get(code);
    places.push(child === undefined ? 0 : write(child, put, place));
  }
  let at = place.bytes;
  if (node.prefix !== '') {
    at += hasPrefix;
    put(Buffer.from(`${node.prefix}\0`, 'latin1'));
  }
  if (codes.length > 0) {
    at += hasChildren;
    put(Buffer.concat([Buffer.of(first, last), numbers(places)]));
  }
  if (node.values.length > 0) {
    at += hasValues;
    put(numbers([node.values.length]));
    for (const { value, rank } of node.values)
      put(Buffer.concat([numbers([rank]), Buffer.from(`${value}\0`, 'latin1')]));
  }
  return at;
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}
