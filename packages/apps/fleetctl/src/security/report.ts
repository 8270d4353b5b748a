import type { FleetClient } from '@nodecore/fleet-api';

import { FleetctlError } from '../errors.ts';
import type { Image } from './images.ts';

/** Severities, the worst first. */
export const severities = ['critical', 'high', 'medium', 'low', 'negligible', 'unknown'] as const;

export type Severity = (typeof severities)[number];

/** A vulnerability of a component. */
export type Match = {
  readonly id: string;
  readonly severity: Severity;
  readonly name: string;
  readonly version: string;
  readonly fixedIn: readonly string[];
};

/** What a newer version would change. */
export type Candidate = {
  readonly version: string;
  readonly path: readonly string[];
  readonly fixed: readonly string[];
  readonly introduced: readonly string[];
  readonly remaining: number;
};

/** The text of a report of an image. */
export async function reportOf(
  client: FleetClient,
  { version: osVersion, schematic, architecture }: Image,
  report: string,
  signal: AbortSignal,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const { data } of client.securityReport(
    { osVersion, schematic, architecture, report },
    { signal },
  ))
    pieces.push(data);
  return Buffer.concat(pieces).toString();
}

/** @throws {FleetctlError} `ERR_FLEETCTL_REPORT`. */
export function parseReport(text: string, report: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FleetctlError('ERR_FLEETCTL_REPORT', `${report}: what came from the image factory is no JSON`);
  }
}

/** What a report with the fields of grype says. */
export function matchesOf(document: unknown): readonly Match[] {
  return listAt(document, 'matches').map((match) => {
    const word = textAt(match, 'vulnerability', 'severity').toLowerCase();
    return {
      id: textAt(match, 'vulnerability', 'id'),
      severity: severities.find((severity) => severity === word) ?? 'unknown',
      name: textAt(match, 'artifact', 'name'),
      version: textAt(match, 'artifact', 'version'),
      fixedIn: listAt(match, 'vulnerability', 'fix', 'versions').map(String),
    };
  });
}

export function candidatesOf(document: unknown): readonly Candidate[] {
  return listAt(document, 'candidates').map((candidate) => ({
    version: textAt(candidate, 'version'),
    path: listAt(candidate, 'path').map(String),
    fixed: listAt(candidate, 'fixed').map(String),
    introduced: listAt(candidate, 'introduced').map(String),
    remaining: Number(valueAt(candidate, 'remaining')),
  }));
}

/** Empty for what is no list. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, name) =>
      typeof inside === 'object' && inside !== null ? (inside as Record<string, unknown>)[name] : undefined,
    value,
  );
}
