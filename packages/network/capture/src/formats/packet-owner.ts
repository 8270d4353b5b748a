/** Whose packet it is, as far as the sockets of a machine tell. */
export type PacketOwner = {
  readonly pid: number;
  /** Of the executable, else of the command. */
  readonly process: string;
  /** Path below the root of the hierarchy. */
  readonly cgroup: string;
  /** Name of the container or pod that the cgroup is. */
  readonly container?: string;
};

/** What would end a word, or a line. */
const unsafe = /[\s%\p{C}]/gu;

/** As the comment of a packet, which every reader of pcapng shows: `process=curl pid=4711 cgroup=/user.slice`. */
export function ownerComment({ process, pid, cgroup, container }: PacketOwner): string {
  const words = { process, pid, cgroup, ...(container !== undefined && { container }) };
  return Object.entries(words)
    .map(([name, value]) => `${name}=${escaped(String(value))}`)
    .join(' ');
}

/** Reads such a comment; undefined for one of somebody else. */
export function readOwner(comment: string): PacketOwner | undefined {
  const words = new Map(
    comment.split(' ').map((word) => {
      const at = word.indexOf('=');
      return [word.slice(0, at), unescaped(word.slice(at + 1))] as const;
    }),
  );
  const [process, pid, cgroup] = [words.get('process'), words.get('pid'), words.get('cgroup')];
  if (process === undefined || cgroup === undefined || !/^\d{1,10}$/.test(pid ?? '')) return undefined;
  const container = words.get('container');
  return { process, pid: Number(pid), cgroup, ...(container !== undefined && { container }) };
}

function escaped(text: string): string {
  return text.toWellFormed().replaceAll(unsafe, encodeURIComponent);
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // nobody of ours has written it
  }
}
