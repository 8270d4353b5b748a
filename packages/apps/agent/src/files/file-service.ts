import {
  type CopyFilesRequest,
  type CopyFilesResponseInit,
  type FileServiceHandlers,
  FileType,
  type FileUsageRequest,
  type ListFilesRequest,
  type ReadFileRequest,
} from '@nodecore/api/file';
import { type FilePiece, listFiles, measureFiles, NativeError, readContent } from '@nodecore/native/files';

import type { Log } from '../log.ts';
import { audited } from '../server/audit.ts';
import { type CallContext, type HandlerOptions, streamingLarge } from '../server/handlers.ts';
import { archive } from './archive.ts';
import { checkedNumber, checkedPath } from './checked-path.ts';
import { FilesError, filesError } from './errors.ts';

/** As many paths as one call measures. */
const mostPaths = 1000;

const knownTypes: ReadonlySet<number> = new Set(
  Object.values(FileType).filter((type) => type !== FileType.UNSPECIFIED),
);

/** Files of the node, for callers. Who reads their content is in the audit trail. */
export function fileService(log: Log, options: HandlerOptions): FileServiceHandlers {
  return {
    list: streamingLarge(options, (request: ListFilesRequest, { signal }: CallContext) => {
      const { depth, types, details, oneFileSystem } = request;
      const root = checkedPath('root', request.root);
      const unknown = types.find((type) => !knownTypes.has(type));
      if (unknown !== undefined)
        throw new FilesError('ERR_FILES_REQUEST', `types: ${unknown} is no type of files`);
      const levels = depth === 0 ? {} : { depth };
      return answers(root, listFiles({ root, ...levels, types, details, oneFileSystem, signal }));
    }),

    usage: streamingLarge(options, (request: FileUsageRequest, { signal }: CallContext) => {
      const { paths, depth, all, threshold, apparent, oneFileSystem } = request;
      if (paths.length === 0 || paths.length > mostPaths)
        throw new FilesError('ERR_FILES_REQUEST', `paths: 1 to ${mostPaths}, not ${paths.length}`);
      const roots = paths.map((path) => checkedPath('paths', path));
      const limit = checkedNumber('threshold', threshold);
      const measured = measureFiles({ roots, depth, all, threshold: limit, apparent, oneFileSystem, signal });
      return answers(roots[0]!, measured);
    }),

    read: streamingLarge(options, (request: ReadFileRequest, context: CallContext) => {
      const path = checkedPath('path', request.path);
      const { offset, length, follow } = request;
      const part = {
        offset: checkedNumber('offset', offset),
        ...(length !== undefined && { length: checkedNumber('length', length) }),
      };
      const { signal } = context;
      const note = audited(log, context, { action: 'read-file', path: textOf(path) });
      return note.over(answers(path, readContent({ path, ...part, follow, signal })));
    }),

    copy: streamingLarge(options, (request: CopyFilesRequest, context: CallContext) => {
      const root = checkedPath('root', request.root);
      const note = audited(log, context, { action: 'copy-files', path: textOf(root) });
      const { signal } = context;
      return note.over(copied(root, { oneFileSystem: request.oneFileSystem, signal }));
    }),
  };
}

async function* answers(
  path: Uint8Array,
  pieces: AsyncIterable<FilePiece>,
): AsyncGenerator<{ readonly data: Uint8Array }, void, undefined> {
  try {
    for await (const { bytes } of pieces) if (bytes.length > 0) yield { data: bytes };
  } catch (error) {
    throw inWords(path, error);
  }
}

async function* copied(
  root: Uint8Array,
  options: { readonly oneFileSystem: boolean; readonly signal: AbortSignal },
): AsyncGenerator<CopyFilesResponseInit, void, undefined> {
  try {
    yield* archive(root, options);
  } catch (error) {
    throw inWords(root, error);
  }
}

function inWords(path: Uint8Array, error: unknown): unknown {
  return error instanceof NativeError && error.errno !== '' ? filesError(textOf(path), error) : error;
}

function textOf(path: Uint8Array): string {
  return Buffer.from(path).toString();
}
