import { type Documents } from './documents.ts';

/** What a tmpfs of the node has room for, in bytes. */
const most = 512 << 10;

/** Reports files below /etc that stand where another needs a directory, and those beyond what the node holds in memory. */
export function checkEtcFiles(documents: Documents): void {
  const files = documents.of('EtcFileConfig');
  const names = new Map(files.map(({ value, identity }) => [value.name, identity]));
  let total = 0;
  for (const { value, at } of files) {
    const file = parentOf(value.name, names);
    if (file !== undefined)
      at.at('name').problem('etc_file.parent', `${names.get(file)} makes a file of a directory in it`);
    const before = total;
    total += Buffer.byteLength(value.contents);
    if (before <= most && total > most)
      at.at('contents').problem('etc_file.total', 'with this one all files together are above 512 KiB');
  }
}

/** The first of the directories above a file that is a file by another document. */
function parentOf(name: string, names: ReadonlyMap<string, string>): string | undefined {
  for (let end = name.indexOf('/'); end >= 0; end = name.indexOf('/', end + 1)) {
    const parent = name.slice(0, end);
    if (names.has(parent)) return parent;
  }
  return undefined;
}
