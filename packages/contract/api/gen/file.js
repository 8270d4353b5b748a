// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  FileType,
  ListFilesRequest,
  ListFilesResponse,
  FileBatch,
  FileEntry,
  FileFailure,
  FileUsageRequest,
  FileUsageResponse,
  FileUsageBatch,
  FileUsage,
  ReadFileRequest,
  ReadFileResponse,
  CopyFilesRequest,
  CopyFilesResponse,
  CopyReport,
  FileService,
} from './nodecore-v1.js';
