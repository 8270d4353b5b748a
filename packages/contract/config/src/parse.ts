import { Documents, type ReadDocument } from './across/documents.ts';
import { rules } from './across/rules.ts';
import { readRawVolume, readSwapVolume } from './block-volume.ts';
import { Configuration, type ConfigurationParts } from './configuration.ts';
import { checkConflicts } from './conflicts.ts';
import { Place } from './place.ts';
import { readExistingVolume, readExternalVolume } from './foreign-volume.ts';
import { readLinkAgent } from './link-agent.ts';
import { checkLocks } from './lock-to-state.ts';
import { kinds } from './kind/kinds.ts';
import { checkKvstore } from './kvstore.ts';
import { readMachineRoot } from './machine-root.ts';
import { readPressurePolicy } from './pressure-policy.ts';
import { nearest } from './nearest.ts';
import { type Problems } from './problems.ts';
import { allKinds, isKind } from './schema/kinds.ts';
import { kindsNotOffered } from './schema/not-offered.ts';
import { checkShape } from './shape.ts';
import { readSource, rootIdentity, type Source, type SourceDocument } from './source.ts';
import { readSystemVolume } from './system-volume.ts';
import { checkTrims, readFilesystemTrim } from './trim.ts';
import { readTrustedRoots } from './trusted-roots.ts';
import { type Document } from './types.ts';
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
 * using configuration = parse(decode(await readFile('node.yaml')), { file: 'node.yaml' });
 * for (const volume of configuration.userVolumes) console.log(volume.id);
 */
export function parse(text: string, options: ParseOptions = {}): Configuration {
  const source = readSource(text, options.file);
  const vault = new Vault();
  try {
    const content = readDocuments(source, { vault, nowMs: options.nowMs ?? Date.now() });
    source.problems.throwIfAny();
    const documents = source.documents.map((document) => summary(document, source.problems));
    // Without their places, which would keep the text with its secrets.
    const values = content.values.map(({ kind, identity, value }) => ({ kind, identity, value }));
    return new Configuration({
      source: vault.keep(text),
      documents,
      ...content,
      values,
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
  -readonly [
    Part in Exclude<keyof ConfigurationParts, 'values' | 'source' | 'documents' | 'warnings' | 'secrets'>
  ]: ConfigurationParts[Part] extends readonly (infer Item)[] ? Item[] : ConfigurationParts[Part];
} & { readonly values: ReadDocument[] };

function readDocuments({ documents, problems }: Source, context: Context): Content {
  const content: Content = {
    machine: undefined,
    userVolumes: [],
    rawVolumes: [],
    swapVolumes: [],
    existingVolumes: [],
    externalVolumes: [],
    systemVolumes: [],
    trustedRoots: [],
    filesystemTrim: undefined,
    pressurePolicies: [],
    linkAgent: undefined,
    values: [],
  };
  if (documents.length === 0 && problems.count === 0) {
    const message = 'no document: the text is empty';
    problems.add({ code: 'document.none', message, path: [], document: '', offset: 0 });
  }
  checkConflicts(documents, problems);
  for (const document of documents) {
    const root = Place.root(document.map, document.identity, problems, context);
    readDocument(document, root, context, content);
  }
  checkLocks(documents, problems);
  checkTrims(documents, problems);
  checkKvstore(documents, problems);
  const whole = new Documents(content.values, content.machine?.type);
  for (const rule of rules) rule(whole);
  return content;
}

function readDocument(document: SourceDocument, root: Place, context: Context, content: Content): void {
  const kind = document.identity === rootIdentity ? rootIdentity : document.kind;
  const description = kinds.get(kind);
  if (description !== undefined) {
    const value = description.read(root);
    if (value !== undefined) content.values.push({ kind, identity: document.identity, value, at: root });
    return;
  }
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
    case 'UserVolumeConfig':
      keep(content.userVolumes, readUserVolume(root, context.vault));
      break;
    case 'VolumeConfig':
      keep(content.systemVolumes, readSystemVolume(root, context.vault));
      break;
    case 'RawVolumeConfig':
      keep(content.rawVolumes, readRawVolume(root, context.vault));
      break;
    case 'SwapVolumeConfig':
      keep(content.swapVolumes, readSwapVolume(root, context.vault));
      break;
    case 'ExistingVolumeConfig':
      keep(content.existingVolumes, readExistingVolume(root));
      break;
    case 'ExternalVolumeConfig':
      keep(content.externalVolumes, readExternalVolume(root));
      break;
    case 'FilesystemTrimConfig':
      content.filesystemTrim = readFilesystemTrim(root);
      break;
    case 'OOMConfig':
      keep(content.pressurePolicies, readPressurePolicy(root));
      break;
    case 'LinkAgentConfig':
      content.linkAgent = readLinkAgent(root, context.vault);
      break;
    case 'TrustedRootsConfig':
      keep(content.trustedRoots, readTrustedRoots(root, context.nowMs));
      break;
  }
}

/** What could not be read has been reported. */
function keep<T>(list: T[], read: T | undefined): void {
  if (read !== undefined) list.push(read);
}

function reportKind(kind: string, root: Place): void {
  if (kindsNotOffered.has(kind))
    root.problemAt('kind', 'kind.not_offered', `${kind} is not offered by this version`);
  else {
    const near = nearest(kind, allKinds);
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    root.problemAt('kind', 'kind.unknown', `unknown kind of document${hint}`);
  }
}

function summary({ kind, name, identity, offset }: SourceDocument, problems: Problems): Document {
  return {
    kind: kind === '' ? rootIdentity : kind,
    ...(name === undefined ? {} : { name }),
    identity,
    ...problems.place(offset),
  };
}
