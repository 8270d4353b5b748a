import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CgroupReader, type CgroupTree, readTree } from '@nodecore/cgroup';

import { delaysMs } from './cgroup/alerts.ts';
import { timed } from './cgroup/clean-heap.ts';
import { type Answer, archive, archived, readFiles, sorted } from './cgroup/peers.ts';
import { files, makeTree, type Tree } from './cgroup/tree.ts';
import { limit } from './limit.ts';
import { ask, type Bench, type Question } from './question.ts';
import { median } from './statistics.ts';

export const bench: Bench = {
  // Rejects with ERR_CGROUP_VERSION, which says what was found, where there is no cgroup v2.
  async prepare(stack) {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(directory, { recursive: true }));
    const archiveFile = join(directory, 'tree.tgz');
    const thousand = await makeTree(stack, 1000);
    const five = await makeTree(stack, 5000);
    const again = stack.adopt(new Again(), (held) => {
      held.close();
    });
    return [
      ...questions(thousand, archiveFile, 'first', { tar: 0.42, promises: 1 / 8 }, () =>
        readTree(thousand.directory, { files }),
      ),
      ...questions(thousand, archiveFile, 'again', { tar: 0.15, promises: 1 / 15 }, again.scanOf(thousand)),
      ...questions(five, archiveFile, 'again', { tar: 1 / 3, promises: 1 / 10 }, again.scanOf(five)),
      ...alertQuestions(),
    ];
  },
};

type Scan = () => Promise<CgroupTree>;

/** A reader that has been there before; one at a time, for they share what the process may keep open. */
class Again {
  #reader: CgroupReader | undefined;

  scanOf({ directory }: Tree): Scan {
    return async () => {
      if (this.#reader?.directory !== directory) {
        this.close();
        this.#reader = await CgroupReader.open(directory);
        await this.#reader.read({ files });
      }
      return await this.#reader.read({ files });
    };
  }

  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }
}

function questions(
  tree: Tree,
  archiveFile: string,
  name: string,
  gates: { readonly tar: number; readonly promises: number },
  scan: Scan,
): readonly Question[] {
  const count = tree.paths.length;
  const how = name === 'first' ? 'for the first time' : 'once more';
  const what = `How long does it take to read ${files.length} files of ${count} cgroups ${how}`;
  const ours = name === 'first' ? 'readTree' : 'reader.read';
  return [
    ask<readonly string[]>({
      name: `cgroup-${name}-${count}-tar`,
      question: `${what}, until the bytes could be sent, and to make an archive of them?`,
      gate: gates.tar,
      ours: {
        name: ours,
        run: async () =>
          (await scan()).nodes
            .slice(1)
            .map(({ path }) => path)
            .sort(),
        sample: () => timed(scan),
      },
      peer: {
        name: 'tar czf',
        run: () => archived(tree, archiveFile),
        sample: () => timed(() => archive(tree, archiveFile)),
      },
    }),
    ask<Answer>({
      name: `cgroup-${name}-${count}-promises`,
      question: `${what}, until every text is a string?`,
      gate: gates.promises,
      ours: {
        name: `${ours}, node.text`,
        run: async () => texts(await scan()),
        sample: () => timed(async () => texts(await scan())),
      },
      peer: {
        name: 'fs.promises.readFile',
        run: () => readFiles(tree),
        sample: () => timed(() => readFiles(tree)),
      },
    }),
  ];
}

function texts({ nodes }: CgroupTree): Answer {
  return sorted(
    Object.fromEntries(nodes.slice(1).map((node) => [node.path, files.map((file) => node.text(file))])),
  );
}

/** Alerts come every two seconds: they are gathered once, for both questions. */
const alerts = 21;

function alertQuestions(): readonly Question[] {
  let gathered: Promise<readonly number[]> | undefined;
  const of = (value: (delays: readonly number[]) => number) => async (): Promise<number> => {
    gathered ??= delaysMs(alerts);
    return Math.max(0, value(await gathered));
  };
  const later = 'How much later than a polling thread of C does JavaScript hear of a stall';
  const asked = { ours: 'pressure.watch − pressure_poll' };
  return [
    limit({
      ...asked,
      name: 'cgroup-alert-median',
      question: `${later}, in the middle of ${alerts} alerts?`,
      budget: 1,
      sample: of(median),
    }),
    limit({
      ...asked,
      name: 'cgroup-alert-worst',
      question: `${later}, at the worst of ${alerts} alerts?`,
      budget: 5,
      sample: of((delays) => Math.max(...delays)),
    }),
  ];
}
