export type { CommandEntry, Configure } from './command-entry.ts';
export { completes, plain, type Candidate, type FindCandidates } from './completion/completes.ts';
export { completionCommands } from './completion/entries.ts';
export type { Line } from './completion/typed-line.ts';
export { confirm, confirmByName } from './confirm.ts';
export { destroyingOption, destroys, isDestroying } from './destroys.ts';
export { parseDuration } from './duration.ts';
export { linesOf } from './error-lines.ts';
export { exitCodeByKind, exitCodeOf, exitCodes, exitWords, type ExitCode } from './exit-codes.ts';
export {
  booleanOption,
  globalGroup,
  isRead,
  listOption,
  onlyWhereRead,
  readsFlags,
  refuseIgnored,
  refuseOthers,
  repeatable,
} from './flag-rules.ts';
export { shortSize } from '@nodecore/sys/pure';
export { OutputError } from './output-error.ts';
export { formatOption, jsonOption, readFormat, type Format } from './output/format.ts';
export { formatObjects, formatStreamed, printFound } from './output/objects.ts';
export { everyTenth, showProgress, type Tell } from './output/progress.ts';
export { relativeTime } from './output/relative-time.ts';
export { Screen } from './output/screen.ts';
export { printable, Table } from './output/table.ts';
export { TransferBar, type Transferred } from './output/transfer-bar.ts';
export { visibleText } from './output/visible-text.ts';
export type { ProgramDefinition } from './program-definition.ts';
export { buildProgram, loadCommand } from './program.ts';
export { readNamed, readNamedText, wordsOfErrno } from './read-named.ts';
export { registryCredentials } from './registry-credentials.ts';
export { onProcess, runProgram } from './run-program.ts';
export { referenceCommands } from './reference/entries.ts';
export { parseSize } from './size.ts';
export { similarCommands, similarFlags } from './suggest.ts';
export { print, writeWhole, type Terminal } from './terminal.ts';
export { UsageError } from './usage-error.ts';
