import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What a test's own code may not do, or look at, in a process that it shares with other files. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/'node:(?:child_process|cluster|worker_threads)'/, 'starts processes or threads'],
  [/'node:(?:inspector|v8|test|module)'|\bregisterHooks\b/, 'changes Node itself'],
  [/\bprocess\.env(?:\.\w+|\[[^\]]+\])?\s*(?:\?\?|\|\|)?=[^=]/, 'changes the environment'],
  [/\bdelete process\.env|\(process\.env,/, 'changes the environment'],
  [/\bprocess\.(?:chdir|umask|on|once|exit|kill|set\w+|dlopen|std\w+)\b/, 'changes the process'],
  [/\bgc\b|\b(?:FinalizationRegistry|WeakRef)\b/, 'has the collector run'],
  [/\bprocess\.(?:\w*[uU]sage|getActiveResourcesInfo|title)\b/, 'measures the process'],
  [/\bmonitorEventLoopDelay\b|\beventLoopUtilization\b/, 'measures the process'],
  [/\/proc\/(?:self|\$\{process\.pid)|\b(?:leaked|open)Descriptors\b/, 'measures the process'],
  [/\btestWith\b/, 'needs something of the machine'],
  [/\btest(?:\.\w+)*\.(?:before|after|beforeEach|afterEach|meta|only)\b/, 'has hooks'],
  [/\bt\.(?:snapshot|title|timeout|context)\b/, 'speaks of its file'],
];

const relativeImport = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/**
 * Why a test file can't share its process with others, read from its own code and from that of the helpers it imports in test
 * folders; undefined when nothing speaks against it.
 *
 * Code of packages is not read: nearly all of it can reach the addon, and few tests make it. What a file really does is watched
 * while it runs (`watch.ts`).
 */
export function needsOwnProcess(checkout: string, file: string): string | undefined {
  for (const path of testCode(checkout, file)) {
    const text = readFileSync(join(checkout, path), 'utf8');
    const found = reasons.find(([pattern]) => pattern.test(text));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** A test file and what it imports from test folders, at any depth. */
function testCode(checkout: string, file: string): ReadonlySet<string> {
  const found = new Set<string>([file]);
  for (const path of found) {
    const text = readFileSync(join(checkout, path), 'utf8');
    for (const [, word = ''] of text.matchAll(relativeImport)) {
      const target = normalize(join(dirname(path), word));
      if (/(?:^|\/)test\//.test(target) && existsSync(join(checkout, target))) found.add(target);
    }
  }
  return found;
}
