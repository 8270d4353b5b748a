import { parseAllDocuments } from 'yaml';

const separator = Buffer.from('\n---\n');
const mark = Buffer.from('\uFEFF');
const lineEnd = 0x0a;

/** What a node for trying things takes, beside the root: no orchestrator, and nothing that changes the machine that it runs on. */
const taken = '["FilesystemTrimConfig",null]';

/** What a node for trying things takes of the configuration that `osctl gen config` makes for a cluster. */
export function ownDocuments(controlplane: Buffer): Buffer {
  const [root = controlplane, ...others] = documentsIn(controlplane);
  const text = join([root, ...others.filter((document) => identities(document).includes(taken))]);
  return text.at(-1) === lineEnd ? text : Buffer.concat([text, Buffer.of(lineEnd)]);
}

/**
 * The root document and the documents of the user. A document that `osctl gen config` put beside the root is only a
 * default: it gives way to the user's of the same kind and name. Bytes all the way, because the root holds keys.
 */
export function firstConfiguration(controlplane: Buffer, files: readonly Buffer[]): Buffer {
  const [root = controlplane, ...defaults] = documentsIn(controlplane);
  const documents = files.map(withoutMark);
  const given = new Set(documents.flatMap(identities));
  const kept = defaults.filter((document) => !identities(document).some((identity) => given.has(identity)));
  return join([root, ...kept, ...documents]);
}

/** A byte order mark is allowed at the start of a file only, and these come after others. */
function withoutMark(file: Buffer): Buffer {
  return file.subarray(0, mark.length).equals(mark) ? file.subarray(mark.length) : file;
}

function documentsIn(text: Buffer): Buffer[] {
  const found: Buffer[] = [];
  let start = 0;
  for (let end = text.indexOf(separator); end !== -1; end = text.indexOf(separator, start)) {
    found.push(text.subarray(start, end));
    start = end + separator.length;
  }
  return [...found, text.subarray(start)];
}

/** The kind and name of every document; what can't be read is left to the node, which says where and why. */
function identities(text: Buffer): string[] {
  return parseAllDocuments(text.toString()).flatMap((document) => {
    const kind = document.get('kind');
    return typeof kind === 'string' ? [JSON.stringify([kind, document.get('name') ?? null])] : [];
  });
}

function join(documents: readonly Buffer[]): Buffer {
  return Buffer.concat(
    documents.flatMap((document, index) => (index === 0 ? [document] : [separator, document])),
  );
}
