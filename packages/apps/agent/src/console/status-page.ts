import type { MachineStatus } from '../lifecycle/machine-status.ts';

/** What the page shows. Texts may come from anybody: a server that gives names, a file on a disk. */
export type PageFacts = {
  readonly hostname: string;
  /** `v1.14.0` */
  readonly version: string;
  readonly addresses: readonly string[];
  readonly port: number;
  /** Of the key of the certificate that the node shows; undefined while it shows none. */
  readonly fingerprint: string | undefined;
  /** Why the node waits for its first configuration. */
  readonly maintenance: string | undefined;
  readonly machine: MachineStatus | undefined;
  /** What the machine is on its way to. */
  readonly sequence: string | undefined;
};

export type PageSize = { readonly columns: number; readonly rows: number };

const labelWidth = 14;
const hint = 'The kernel logs on the first terminal: Alt+F1.';

/** The lines of the page; none is wider than the terminal, and they are no more than it has. */
export function statusPage(facts: PageFacts, { columns, rows }: PageSize): readonly string[] {
  const { machine, fingerprint, maintenance, addresses, sequence } = facts;
  const stage = machine?.stage ?? 'booting';
  const readiness = machine?.status.ready === true ? 'ready' : 'not ready';
  const lines = [
    `${facts.hostname || 'no name yet'}   ${facts.version}`.trimEnd(),
    '',
    field('Stage', `${stage}, ${readiness}`),
    ...(sequence === undefined ? [] : [field('Sequence', sequence)]),
    ...(addresses.length === 0 ? ['none'] : addresses).map((address, index) =>
      field(index === 0 ? 'Address' : '', address),
    ),
    field('API', `port ${facts.port}`),
    field('Fingerprint', fingerprint ?? 'the node shows no certificate yet'),
    ...(maintenance === undefined ? [] : [field('Maintenance', maintenance)]),
  ];
  const unmet = (machine?.status.unmetConditions ?? []).map(({ name, reason }) => `  ${name}: ${reason}`);
  if (unmet.length > 0) lines.push('', 'It waits for', ...unmet);
  const room = rows - 2;
  const shown =
    lines.length <= room ? lines : [...lines.slice(0, room - 1), `  … and ${lines.length - room + 1} more`];
  return [...shown, '', hint].map((line) => harmless(line).slice(0, columns));
}

/** What a terminal gets to have the page, and nothing else, on it. */
export function drawn(lines: readonly string[]): string {
  const [hideCursor, home, clearLine, clearBelow] = ['\u001b[?25l', '\u001b[H', '\u001b[K', '\u001b[J'];
  return `${hideCursor}${home}${lines.map((line) => `${line}${clearLine}`).join('\r\n')}${clearBelow}`;
}

function field(label: string, value: string): string {
  return `${label.padEnd(labelWidth)}${value}`;
}

/** Nothing that moves a cursor, rings, or turns the direction of a text. */
function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu, '?');
}
