/** What `xfs_repair -n` says of the work that it does. */
const progress = /^(\s+- |Phase \d|No modify flag set|\s*$)/u;
/** An inode that is in use, by which the map of inodes is put right. */
const harmless = /^imap claims in-use inode \d+ is free, would correct imap$/u;
/** A log that only a mount can replay: what is found without it means nothing, and the repair itself refuses. */
const openLog = /in a log which is being/u;
/** From here on it looks at inodes. Before that, at headers and maps of groups, which are made anew from the inodes. */
const inodes = /^Phase [3-9]/mu;

/**
 * What of the output of `xfs_repair -n` a repair would cost: an inode, a name, a part of a file. Everything counts that is
 * not known to be harmless.
 */
export function xfsLosses(said: string): readonly string[] {
  if (openLog.test(said)) return [];
  // Of a long output only the end may be here; and one that ends before the inodes says nothing of them.
  const begin = said.startsWith('Phase 1') ? Math.max(said.search(inodes), 0) : 0;
  const lines = said.slice(begin).split('\n');
  return lines.filter((line) => !progress.test(line) && !harmless.test(line));
}
