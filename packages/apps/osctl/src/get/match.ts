import { ApiError, listAll, stringify } from '@nodecore/api';
import type { Resource } from '@nodecore/api/resource';
import { type Format, formatObjects, print, Table, type Terminal, UsageError } from '@nodecore/cli';
import {
  compileDiskSelector,
  compileVolumeSelector,
  type Explanation,
  SelectorError,
} from '@nodecore/selector';

import { FilterError } from '../errors.ts';
import { everyNode } from '../nodes/every-node.ts';
import { systemDisks } from '../nodes/system-disks.ts';
import type { Target } from '../nodes/target.ts';
import { type Fields, fieldsOf } from '../output/fields.ts';
import { findDefinition, type Query } from './kind.ts';
import { diskOf, volumeOf } from './selectable.ts';

const diskType = 'Disks.block.nodecore.dev';
const volumeType = 'DiscoveredVolumes.block.nodecore.dev';

/** What an expression says of one disk or volume. */
type Verdict = {
  readonly node: string;
  readonly id: string;
  readonly matched: boolean;
  /** The first part that was not true, where it is in the expression, and what the fields in it are. */
  readonly failed?: {
    readonly text: string;
    readonly line: number;
    readonly column: number;
    readonly error?: string;
    readonly facts: Fields;
  };
};

/** A disk or volume with what an expression may ask for. */
type Subject = { readonly id: string; readonly facts: Facts; readonly systemDisk: boolean };
type Facts = { readonly disk: Fields; readonly volume?: Fields };

/**
 * Prints for every disk or discovered volume whether a selector matches it, and if not, which part of it was not true.
 *
 * @throws {FilterError} for an expression that can't be used; {UsageError} for another type of resource.
 */
export async function tryExpression(
  targets: readonly Target[],
  query: Query,
  expression: string,
  format: Format,
  terminal: Terminal,
): Promise<void> {
  // Whatever is said of disks can be said of volumes: this finds what is wrong before a node is asked.
  compiled(() => compileVolumeSelector(expression));
  const { results, throwFailures } = await everyNode(targets, (target) =>
    subjectsOf(target, query, terminal.signal),
  );
  const explain = explainer(expression, results[0]?.result.type);
  const verdicts = results.flatMap(({ target, result }) =>
    result.subjects.map((subject) => verdictOf(target.name, subject, explain(subject))),
  );
  if (format.kind !== 'table') {
    const single = query.id !== undefined && targets.length === 1;
    await print(terminal.out, await formatObjects(verdicts, format, { single }));
  } else if (results.length > 0) {
    const table = new Table(['node', 'id', 'matches', 'failed part', 'at', 'because']);
    await print(terminal.out, table.format(verdicts.map(row)));
  }
  throwFailures();
}

type Subjects = { readonly type: string; readonly subjects: readonly Subject[] };

async function subjectsOf(target: Target, query: Query, signal: AbortSignal): Promise<Subjects> {
  const options = { node: target.node, signal };
  const { type } = await findDefinition(target, query.type, options);
  if (type !== diskType && type !== volumeType)
    throw new UsageError('--match asks disks or discoveredvolumes; other types have no selectors');
  const list = async (of: string): Promise<readonly Resource[]> =>
    (await listAll(target.client, { type: of }, options)).resources;
  const [disks, volumes, system] = await Promise.all([
    list(diskType),
    type === volumeType ? list(volumeType) : [],
    systemDisks(target.client, options),
  ]);
  const diskFacts = new Map(disks.map((resource) => [idOf(resource), fieldsOf(resource)]));
  const subjects = (type === diskType ? disks : volumes).map((resource): Subject => {
    const id = idOf(resource);
    const fields = fieldsOf(resource);
    if (type === diskType) return { id, facts: { disk: fields }, systemDisk: system.has(id) };
    const parent = typeof fields['parent'] === 'string' && fields['parent'] !== '' ? fields['parent'] : id;
    const facts = { disk: diskFacts.get(parent) ?? {}, volume: fields };
    return { id, facts, systemDisk: system.has(parent) };
  });
  const asked = query.id === undefined ? subjects : subjects.filter(({ id }) => id === query.id);
  if (asked.length === 0 && query.id !== undefined)
    throw new ApiError(
      'ERR_API_NOT_FOUND',
      `${target.name}: no ${query.type} ${query.id}; list them with osctl get ${query.type}`,
      { endpoint: target.client.endpoint, node: target.node },
    );
  return { type, subjects: asked };
}

function explainer(expression: string, type = diskType): (subject: Subject) => Explanation {
  if (type === diskType) {
    const selector = compiled(() => compileDiskSelector(expression));
    return ({ facts, systemDisk }) => selector.explain({ disk: diskOf(facts.disk), systemDisk });
  }
  const selector = compiled(() => compileVolumeSelector(expression));
  return ({ facts, systemDisk }) =>
    selector.explain({ disk: diskOf(facts.disk), volume: volumeOf(facts.volume ?? {}), systemDisk });
}

function compiled<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    throw error instanceof SelectorError ? new FilterError(`--match: ${error.message}`, error) : error;
  }
}

function verdictOf(node: string, { id, facts, systemDisk }: Subject, explanation: Explanation): Verdict {
  const { matched, failed } = explanation;
  if (failed === undefined) return { node, id, matched };
  return { node, id, matched, failed: { ...failed, facts: factsIn(failed.text, facts, systemDisk) } };
}

/** The fields that a part of an expression names, with their values. */
function factsIn(text: string, facts: Facts, systemDisk: boolean): Fields {
  const found: Record<string, unknown> = {};
  for (const [name, variable, field] of text.matchAll(/\b(disk|volume)\.([a-z_]+)/g)) {
    const value = variable === 'disk' ? facts.disk[field ?? ''] : facts.volume?.[field ?? ''];
    found[name] = value ?? '';
  }
  if (/\bsystem_disk\b/.test(text)) found['system_disk'] = systemDisk;
  return found;
}

function row({ node, id, matched, failed }: Verdict): string[] {
  if (failed === undefined) return [node, id, matched ? 'yes' : 'no', '', '', ''];
  const facts = Object.entries(failed.facts).map(([name, value]) => `${name} is ${stringify(value)}`);
  const because = [...(failed.error === undefined ? [] : [failed.error]), ...facts].join(', ');
  return [node, id, 'no', failed.text, `${failed.line}:${failed.column}`, because];
}

function idOf({ metadata }: Resource): string {
  return metadata?.id ?? '';
}
