import { isDeepStrictEqual } from 'node:util';

import { ResourceError, type ResourceErrorCode } from './errors.ts';
import type { GuardOptions, Operation, UpdateOptions } from './operation.ts';
import { type Key, keyText, type Metadata, type Resource } from './resource.ts';

/** What a write does to one resource. */
export type Step = {
  readonly type: 'created' | 'updated' | 'destroyed' | 'unchanged';
  /** As it is afterwards; as it was last where it is destroyed. */
  readonly resource: Resource;
};

const none = Object.freeze({});

/**
 * The rules of every driver: what an operation makes of the resource that is there now.
 *
 * @throws {ResourceError} when it is refused.
 */
export function decide(current: Resource | undefined, operation: Operation, nowMs: number): Step {
  const { key } = operation;
  if (operation.op === 'create') return create(current, operation, nowMs);
  if (operation.op === 'expect') return expect(current, key, operation.version);
  if (current === undefined) throw refusal('ERR_RESOURCE_NOT_FOUND', key, 'not found');
  const { phase, finalizers } = current.metadata;
  switch (operation.op) {
    case 'update':
      checkGuards(current, operation);
      return update(current, operation, operation.spec, nowMs);
    case 'teardown':
      checkGuards(current, operation);
      return phase === 'running' ? changed(current, { phase: 'tearingDown' }, nowMs) : unchanged(current);
    case 'destroy':
      checkGuards(current, operation);
      if (finalizers.length === 0) return { type: 'destroyed', resource: current };
      throw refusal('ERR_RESOURCE_FINALIZERS', key, `still needed by ${finalizers.join(', ')}`);
    case 'addFinalizers':
      checkPhase(current, 'running');
      return holders(current, [...new Set([...finalizers, ...operation.finalizers])], nowMs);
    case 'removeFinalizers':
    default: {
      const gone = new Set(operation.finalizers);
      const left = finalizers.filter((name) => !gone.has(name));
      return holders(current, left, nowMs);
    }
  }
}

/** Stands for a resource that does not exist. */
export function tombstone({ namespace, type, id }: Key): Resource {
  const metadata: Metadata = {
    namespace,
    type,
    id,
    version: 0,
    owner: '',
    phase: 'tearingDown',
    createdMs: 0,
    updatedMs: 0,
    labels: none,
    annotations: none,
    finalizers: [],
  };
  return { metadata, spec: null };
}

function create(
  current: Resource | undefined,
  { key, spec, owner = '', labels = none, annotations = none }: Extract<Operation, { op: 'create' }>,
  nowMs: number,
): Step {
  if (current !== undefined) throw refusal('ERR_RESOURCE_EXISTS', key, 'exists');
  const metadata: Metadata = {
    ...key,
    version: 1,
    owner,
    phase: 'running',
    createdMs: nowMs,
    updatedMs: nowMs,
    labels,
    annotations,
    finalizers: [],
  };
  return { type: 'created', resource: { metadata, spec } };
}

function update(current: Resource, options: UpdateOptions, spec: Resource['spec'], nowMs: number): Step {
  checkPhase(current, options.phase ?? 'running');
  const { metadata } = current;
  const { labels = metadata.labels, annotations = metadata.annotations } = options;
  const isSame =
    isDeepStrictEqual(current.spec, spec) &&
    isDeepStrictEqual(metadata.labels, labels) &&
    isDeepStrictEqual(metadata.annotations, annotations);
  return isSame ? unchanged(current) : changed({ metadata, spec }, { labels, annotations }, nowMs);
}

function holders(current: Resource, finalizers: readonly string[], nowMs: number): Step {
  const isSame = finalizers.length === current.metadata.finalizers.length;
  return isSame ? unchanged(current) : changed(current, { finalizers }, nowMs);
}

function changed({ metadata, spec }: Resource, change: Partial<Metadata>, nowMs: number): Step {
  const version = metadata.version + 1;
  return {
    type: 'updated',
    resource: { metadata: { ...metadata, ...change, version, updatedMs: nowMs }, spec },
  };
}

function unchanged(resource: Resource): Step {
  return { type: 'unchanged', resource };
}

function expect(current: Resource | undefined, key: Key, version: number): Step {
  const found = current?.metadata.version ?? 0;
  if (found !== version) throw refusal('ERR_RESOURCE_VERSION', key, `version is ${found}, not ${version}`);
  return { type: 'unchanged', resource: current ?? tombstone(key) };
}

function checkGuards({ metadata }: Resource, { owner = '', version }: GuardOptions): void {
  if (metadata.owner !== owner) {
    throw refusal('ERR_RESOURCE_OWNER', metadata, `owned by "${metadata.owner}", not by "${owner}"`);
  }
  if (version !== undefined && metadata.version !== version) {
    throw refusal('ERR_RESOURCE_VERSION', metadata, `version is ${metadata.version}, not ${version}`);
  }
}

function checkPhase({ metadata }: Resource, phase: Metadata['phase']): void {
  if (metadata.phase === phase) return;
  const message = metadata.phase === 'tearingDown' ? 'is being torn down' : 'is not being torn down';
  throw refusal('ERR_RESOURCE_PHASE', metadata, message);
}

function refusal(code: ResourceErrorCode, key: Key, message: string): ResourceError {
  return new ResourceError(code, keyText(key), message);
}
