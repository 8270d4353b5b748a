import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Problem } from '@nodecore/config';
import { releaseVersion } from '@nodecore/sys/pure';

import type { Checked } from './check-file.ts';

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

type Level = 'error' | 'warning';
type Finding = { readonly problem: Problem; readonly level: Level; readonly file: string };

/** What was found in files, as a log of SARIF 2.1.0, which code hosts and editors show beside the lines. */
export function sarifOf(checked: readonly Checked[]): Readonly<Record<string, unknown>> {
  const findings = checked.flatMap(({ file, problems, warnings }): Finding[] => [
    ...problems.map((problem) => ({ problem, level: 'error' as const, file })),
    ...warnings.map((problem) => ({ problem, level: 'warning' as const, file })),
  ]);
  const rules = [...new Set(findings.map(({ problem }) => problem.code))].toSorted();
  return {
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'osctl validate',
            version: releaseVersion,
            rules: rules.map((id) => ({ id })),
          },
        },
        columnKind: 'utf16CodeUnits',
        artifacts: [...new Set(checked.map(({ file }) => file))].map((file) => ({
          location: { uri: uriOf(file) },
        })),
        results: findings.map((finding) => resultOf(finding, rules)),
      },
    ],
  };
}

function resultOf(
  { problem, level, file }: Finding,
  rules: readonly string[],
): Readonly<Record<string, unknown>> {
  const { code, message, document, path, line, column } = problem;
  const name = [document, path].filter((word) => word !== '').join(' ');
  return {
    ruleId: code,
    ruleIndex: rules.indexOf(code),
    level,
    message: { text: name === '' ? message : `${name}: ${message}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: line, startColumn: column },
        },
        ...(name === '' ? {} : { logicalLocations: [{ fullyQualifiedName: name }] }),
      },
    ],
  };
}

/** A reference (RFC 3986): below the working directory it stays relative, so that a code host finds the file. */
function uriOf(file: string): string {
  if (file === '<stdin>') return 'stdin';
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file
    .replace(/^(?:\.\/)+/u, '')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
}
