/** What stands in front of a file's titles, as where ava runs several files. */
export function prefixOf(file: string): string {
  return `${file.replace(/\.test\.ts$/, '').replaceAll('/', ' › ')} › `;
}
