import { Configuration } from './configuration.ts';
import { checkConflicts } from './conflicts.ts';
import { Cursor } from './cursor.ts';
import { checkLocks } from './lock-to-state.ts';
import { checkKvstore } from './kvstore.ts';
import { readMachineRoot } from './machine-root.ts';
import { readPressurePolicy } from './pressure-policy.ts';
import { type Problems } from './problems.ts';
import { isKind, kindsNotOffered } from './schema/kinds.ts';
import { checkShape } from './shape.ts';
import { readSource, rootIdentity, type Source, type SourceDocument } from './source.ts';
import { readSystemVolume } from './system-volume.ts';
import { checkTrims, readFilesystemTrim } from './trim.ts';
import { readTrustedRoots } from './trusted-roots.ts';
import {
  type Document,
  type FilesystemTrim,
  type MachineRoot,
  type PressurePolicy,
  type SystemVolume,
  type TrustedRoots,
  type UserVolume,
} from './types.ts';
import { readUserVolume } from './user-volume.ts';
import { Vault } from './vault.ts';

export type ParseOptions = {
  /** Where the text is from, for problems. */
  readonly file?: string;
  /** Milliseconds since the epoch, for warnings about certificates; now by default. Injected by tests. */
  readonly nowMs?: number;
};

/**
 * Reads a multi-document configuration.
 *
 * @returns a configuration without a single problem; the caller disposes it to wipe its secrets.
 * @throws {ConfigError} `ERR_CONFIG_INVALID` with every problem at once. Neither the error nor a problem holds the
 *   value of a secret field.
 *
 * @example
 * using configuration = parse(await readFile('node.yaml', 'utf8'), { file: 'node.yaml' });
 * for (const volume of configuration.userVolumes) console.log(volume.id);
 */
export function parse(text: string, options: ParseOptions = {}): Configuration {
  const source = readSource(text, options.file);
  const vault = new Vault();
  try {
    const content = readDocuments(source, { vault, nowMs: options.nowMs ?? Date.now() });
    source.problems.throwIfAny();
    const documents = source.documents.map((document) => summary(document, source.problems));
    return new Configuration({
      source: vault.keep(text),
      documents,
      ...content,
      warnings: source.problems.warnings(),
      secrets: vault.secrets,
    });
  } catch (error) {
    vault.wipe();
    throw error;
  }
}

type Context = { readonly vault: Vault; readonly nowMs: number };
type Content = {
  machine: MachineRoot | undefined;
  userVolumes: UserVolume[];
  systemVolumes: SystemVolume[];
  trustedRoots: TrustedRoots[];
  filesystemTrim: FilesystemTrim | undefined;
  pressurePolicies: PressurePolicy[];
};

function readDocuments({ documents, problems }: Source, context: Context): Content {
  const content: Content = {
    machine: undefined,
    userVolumes: [],
    systemVolumes: [],
    trustedRoots: [],
    filesystemTrim: undefined,
    pressurePolicies: [],
  };
  if (documents.length === 0 && problems.count === 0) {
    const message = 'no document: the text is empty';
    problems.add({ code: 'document.none', message, path: [], document: '', offset: 0 });
  }
  checkConflicts(documents, problems);
  for (const document of documents) {
    const root = Cursor.root(document.map, document.identity, problems);
    readDocument(document, root, context, content);
  }
  checkLocks(documents, problems);
  checkTrims(documents, problems);
  checkKvstore(documents, problems);
  return content;
}

function readDocument(document: SourceDocument, root: Cursor, context: Context, content: Content): void {
  const kind = document.identity === rootIdentity ? rootIdentity : document.kind;
  if (!isKind(kind)) {
    reportKind(kind, root);
    return;
  }
  if (kind === rootIdentity && root.get('version') === undefined) {
    const message = 'a document begins with apiVersion and kind, or with version for the root document';
    root.problem('kind.required', message);
    return;
  }
  checkShape(root, kind);
  switch (kind) {
    case 'machine':
      content.machine = readMachineRoot(root, context);
      break;
    case 'UserVolumeConfig': {
      const volume = readUserVolume(root, context.vault);
      if (volume !== undefined) content.userVolumes.push(volume);
      break;
    }
    case 'VolumeConfig': {
      const volume = readSystemVolume(root, context.vault);
      if (volume !== undefined) content.systemVolumes.push(volume);
      break;
    }
    case 'FilesystemTrimConfig':
      content.filesystemTrim = readFilesystemTrim(root);
      break;
    case 'OOMConfig': {
      const policy = readPressurePolicy(root);
      if (policy !== undefined) content.pressurePolicies.push(policy);
      break;
    }
    case 'TrustedRootsConfig': {
      const roots = readTrustedRoots(root, context.nowMs);
      if (roots !== undefined) content.trustedRoots.push(roots);
      break;
    }
  }
}

function reportKind(kind: string, root: Cursor): void {
  if (kindsNotOffered.has(kind))
    root.problemAt('kind', 'kind.not_offered', `${kind} is not offered by this version`);
  else root.problemAt('kind', 'kind.unknown', 'unknown kind of document');
}

function summary({ kind, name, identity, offset }: SourceDocument, problems: Problems): Document {
  return {
    kind: kind === '' ? rootIdentity : kind,
    ...(name === undefined ? {} : { name }),
    identity,
    ...problems.place(offset),
  };
}
