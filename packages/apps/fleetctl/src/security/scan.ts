import { print, printable, printFound, readFormat, Table, type Terminal } from '@nodecore/cli';
import type { FleetClient } from '@nodecore/fleet-api';

import { FleetctlError } from '../errors.ts';
import type { GlobalFlags } from '../flags.ts';
import { openFleet } from '../session.ts';
import { type Asked, checkAsked, findImages, type Image } from './images.ts';
import {
  candidatesOf,
  listAt,
  type Match,
  matchesOf,
  parseReport,
  reportOf,
  severities,
  type Severity,
} from './report.ts';

/** An image, and what is known of it. */
type Scanned = Image & { readonly scan: unknown; readonly upgrades: unknown };

export type ScanFlags = { readonly output: string; readonly failOn?: Severity };

/**
 * Prints what is known to be wrong with images, and what upgrades would change. What can be said of some is printed when others fail.
 *
 * @throws {FleetctlError} `ERR_FLEETCTL_VULNERABLE` when there is one of the severity, or a worse one; the first error of an image.
 */
export async function scanImages(
  flags: GlobalFlags,
  asked: Asked,
  { output, failOn }: ScanFlags,
  terminal: Terminal,
): Promise<void> {
  checkAsked(asked);
  const format = output === 'sarif' ? undefined : await readFormat(output, ['sarif']);
  const { client } = await openFleet(flags, terminal);
  using _client = client;
  const { images, unknown } = await findImages(client, asked, terminal.signal);
  for (const id of unknown) terminal.error.write(`${printable(id)}: does not say which image it runs\n`);
  const scanned: Scanned[] = [];
  const runs: unknown[] = [];
  let failed: unknown;
  for (const image of images)
    try {
      scanned.push(await scanImage(client, image, terminal.signal));
      if (format === undefined) runs.push(...(await runsOf(client, image, terminal.signal)));
    } catch (error) {
      terminal.signal.throwIfAborted();
      if (images.length === 1) throw error;
      failed ??= error;
      terminal.error.write(
        `${titleOf(image)}: ${error instanceof Error ? printable(error.message) : 'fails'}\n`,
      );
    }
  if (format === undefined) await print(terminal.out, `${JSON.stringify(sarifOf(runs), undefined, 1)}\n`);
  else
    await printFound(terminal, format, scanned, {
      single: false,
      text: () => scanned.map(textOf).join('\n'),
    });
  if (failed !== undefined) throw failed;
  if (failOn !== undefined) assertNone(scanned, failOn);
}

async function scanImage(client: FleetClient, image: Image, signal: AbortSignal): Promise<Scanned> {
  const read = async (report: string): Promise<unknown> =>
    parseReport(await reportOf(client, image, report, signal), report);
  const [scan, upgrades] = await Promise.all([read('scan.json'), read('upgrades.json')]);
  return { ...image, scan, upgrades };
}

/** One document has a run for each image, which says by its id which one that is. */
async function runsOf(client: FleetClient, image: Image, signal: AbortSignal): Promise<readonly unknown[]> {
  const { version, schematic, architecture, machines } = image;
  const document = parseReport(await reportOf(client, image, 'scan.sarif', signal), 'scan.sarif');
  return listAt(document, 'runs').map((run) => ({
    ...(run as object),
    automationDetails: { id: `${version}/${schematic}/${architecture}/` },
    properties: { machines },
  }));
}

function sarifOf(runs: readonly unknown[]): object {
  return { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs };
}

function assertNone(scanned: readonly Scanned[], least: Severity): void {
  const count = scanned
    .flatMap(({ scan }) => matchesOf(scan))
    .filter(({ severity }) => isAtLeast(severity, least)).length;
  if (count > 0)
    throw new FleetctlError('ERR_FLEETCTL_VULNERABLE', `${count} of severity ${least} or worse: --fail-on`);
}

/** What nobody has judged yet may be the worst. */
function isAtLeast(severity: Severity, least: Severity): boolean {
  return severity === 'unknown' || severities.indexOf(severity) <= severities.indexOf(least);
}

function textOf({ scan, upgrades, ...image }: Scanned): string {
  const matches = matchesOf(scan).toSorted(byWorst);
  const rows = matches.map(({ severity, id, name, version, fixedIn }) => [
    severity,
    id,
    name,
    version,
    fixedIn.join(', ') || '-',
  ]);
  const found =
    rows.length === 0
      ? 'Nothing is known to be wrong with it.\n'
      : new Table(['severity', 'vulnerability', 'package', 'version', 'fixed in']).format(rows);
  const candidates = candidatesOf(upgrades).map(({ version, path, fixed, introduced, remaining }) => [
    version,
    path.join(' > '),
    `${fixed.length}`,
    `${introduced.length}`,
    `${remaining}`,
  ]);
  const upgrade =
    candidates.length === 0
      ? ''
      : `\n${new Table(['upgrade to', 'path', 'fixes', 'introduces', 'remain']).format(candidates)}`;
  const { machines } = image;
  const run = machines.length === 0 ? '' : `Machines: ${machines.map(printable).join(', ')}\n`;
  return `Image: ${titleOf(image)}\n${run}\n${found}${upgrade}`;
}

function byWorst(a: Match, b: Match): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity) || (a.id < b.id ? -1 : 1);
}

function titleOf({ version, architecture, schematic }: Omit<Image, 'machines'>): string {
  return printable(`${version} ${architecture} ${schematic}`);
}
