import { FileType } from '@nodecore/api/file';
import { UsageError } from '@nodecore/cli';

/** Letters of find(1), `L` as the interface has it. */
const letters: Readonly<Record<string, FileType>> = {
  f: FileType.REGULAR,
  d: FileType.DIRECTORY,
  l: FileType.SYMLINK,
  L: FileType.SYMLINK,
  p: FileType.FIFO,
  s: FileType.SOCKET,
  c: FileType.CHARACTER_DEVICE,
  b: FileType.BLOCK_DEVICE,
};

/** @throws {UsageError} for another letter. */
export function typesOf(words: readonly string[]): readonly FileType[] {
  return words.map((word) => {
    const type = Object.hasOwn(letters, word) ? letters[word] : undefined;
    if (type === undefined)
      throw new UsageError(`--type: "${word}" is none of ${Object.keys(letters).join(', ')}`);
    return type;
  });
}

const words: Readonly<Record<FileType, string>> = {
  [FileType.UNSPECIFIED]: 'unknown',
  [FileType.REGULAR]: 'file',
  [FileType.DIRECTORY]: 'directory',
  [FileType.SYMLINK]: 'link',
  [FileType.FIFO]: 'pipe',
  [FileType.SOCKET]: 'socket',
  [FileType.CHARACTER_DEVICE]: 'character-device',
  [FileType.BLOCK_DEVICE]: 'block-device',
};

export function typeWord(type: FileType): string {
  return words[type] ?? 'unknown';
}

const marks: Readonly<Record<FileType, string>> = {
  [FileType.UNSPECIFIED]: '?',
  [FileType.REGULAR]: '-',
  [FileType.DIRECTORY]: 'd',
  [FileType.SYMLINK]: 'l',
  [FileType.FIFO]: 'p',
  [FileType.SOCKET]: 's',
  [FileType.CHARACTER_DEVICE]: 'c',
  [FileType.BLOCK_DEVICE]: 'b',
};

/** Type and permissions as ls(1) prints them: `drwxr-xr-t`. */
export function modeText(type: FileType, mode: number): string {
  const triple = (shift: number, special: number, letter: string): string => {
    const bits = (mode >> shift) & 7;
    const isSpecial = (mode & special) !== 0;
    const last = (bits & 1) === 0 ? (isSpecial ? letter.toUpperCase() : '-') : isSpecial ? letter : 'x';
    return `${(bits & 4) === 0 ? '-' : 'r'}${(bits & 2) === 0 ? '-' : 'w'}${last}`;
  };
  return `${marks[type] ?? '?'}${triple(6, 0o4000, 's')}${triple(3, 0o2000, 's')}${triple(0, 0o1000, 't')}`;
}
