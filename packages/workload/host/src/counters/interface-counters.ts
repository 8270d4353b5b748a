const names = [
  'receivedBytes',
  'receivedPackets',
  'receiveErrors',
  'receiveDropped',
  'receiveFifo',
  'receiveFrame',
  'receiveCompressed',
  'receiveMulticast',
  'sentBytes',
  'sentPackets',
  'sendErrors',
  'sendDropped',
  'sendFifo',
  'sendCollisions',
  'sendCarrier',
  'sendCompressed',
] as const;

/** What an interface has done since it came. */
export type InterfaceCounters = { readonly name: string } & Readonly<Record<(typeof names)[number], bigint>>;

/** `/proc/net/dev` (proc_pid_net(5)). */
export function parseInterfaceCounters(text: string): readonly InterfaceCounters[] {
  return text.split('\n').flatMap((line) => {
    // A name may have a colon: the last one before the numbers counts.
    const [, name, rest = ''] = /^\s*(\S+):\s*((?:\d+\s*)+)$/u.exec(line) ?? [];
    const counts = rest.trim().split(/\s+/u);
    if (name === undefined || counts.length < names.length) return [];
    return [countersOf(name, (_key, index) => BigInt(counts[index] ?? 0))];
  });
}

/** The sum of some interfaces. */
export function sumOfInterfaces(interfaces: readonly InterfaceCounters[]): InterfaceCounters {
  return countersOf('', (key) => interfaces.reduce((sum, each) => sum + each[key], 0n));
}

function countersOf(
  name: string,
  countOf: (key: (typeof names)[number], index: number) => bigint,
): InterfaceCounters {
  const pairs = names.map((key, index) => [key, countOf(key, index)] as const);
  return { name, ...(Object.fromEntries(pairs) as Omit<InterfaceCounters, 'name'>) };
}
