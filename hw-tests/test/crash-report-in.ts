import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readCrashReport } from '../../packages/apps/agent/src/upgrades/crash-report.ts';

/** What the agent would read: files as the kernel shows them, here as the program has written them to the console. */
export async function crashReportIn(console: string, directory: string) {
  await mkdir(directory);
  for (const match of console.matchAll(/^pstore: (?<name>dmesg-\S+)\r?\n(?<text>.*?)^pstore: end/gmsu)) {
    const { name = '', text = '' } = match.groups ?? {};
    await writeFile(join(directory, name), text.replaceAll(/^\| /gmu, '').replaceAll('\r', ''));
  }
  return await readCrashReport(directory);
}
