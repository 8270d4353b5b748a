import { deepStrictEqual } from 'node:assert';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  connect,
  type Kvstore,
  saveSnapshot,
  type SnapshotInfo,
  type SnapshotStatus,
  snapshotStatus,
  verifySnapshot,
} from '@nodecore/kvstore';
import { etcd, type EtcdCluster, etcdProgram } from '@nodecore/testkit/etcd';

import { runProgram } from '../program.ts';
import { fill, type ShapeName } from './shapes.ts';
import { type Cost, costOfProgram, costOfWork, type ProgramCost } from './usage.ts';

export type SceneOptions = {
  /** Values of 4 kB unless given. */
  readonly shape?: ShapeName;
  /** Plaintext unless given. */
  readonly tls?: boolean;
};

const alone = fileURLToPath(new URL('alone.ts', import.meta.url));
/** What etcd puts behind a database. */
const digestBytes = 32;
const hashedAtOnce = 256 << 10;
/** Of the file `$0` without the digest. */
const hashByProgram = `head -c -${digestBytes} "$0" | openssl dgst -sha256`;

/** A server with a database, and both ways to get its snapshot and to judge it. */
export class SnapshotScene {
  readonly #cluster: EtcdCluster;
  readonly #kvstore: Kvstore;
  readonly #directory: string;
  /** A snapshot to judge. */
  readonly file: string;

  private constructor(cluster: EtcdCluster, kvstore: Kvstore, directory: string) {
    this.#cluster = cluster;
    this.#kvstore = kvstore;
    this.#directory = directory;
    this.file = join(directory, 'judged.db');
  }

  static async make(
    stack: AsyncDisposableStack,
    { shape = 'objects', tls = false }: SceneOptions = {},
  ): Promise<SnapshotScene> {
    const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const teardown = (end: () => unknown): void => {
      stack.defer(async () => {
        await end();
      });
    };
    const cluster = await etcd({ teardown }, { tls });
    const kvstore = await connect({ endpoints: cluster.endpoints, tls: cluster.tls, timeoutMs: 60_000 });
    stack.defer(() => kvstore.close());
    const scene = new SnapshotScene(cluster, kvstore, directory);
    await fill(kvstore, shape);
    await saveSnapshot(kvstore, { file: scene.file });
    return scene;
  }

  /** Where to save: to give back the space of another file of that name is not what is measured of either side. */
  async freeName(): Promise<string> {
    const file = join(this.#directory, 'saved.db');
    await rm(file, { force: true });
    return file;
  }

  save(file: string): Promise<SnapshotInfo> {
    return saveSnapshot(this.#kvstore, { file });
  }

  async saveByEtcdctl(file: string): Promise<void> {
    await runProgram(this.#etcdctl(file));
  }

  /** What `etcdctl` saves is what we save: of the same database, and sound. */
  async checkSaves(): Promise<void> {
    const { hash, revision, totalKeys } = await this.save(await this.freeName());
    const file = await this.freeName();
    await this.saveByEtcdctl(file);
    const theirs = await verifySnapshot(file);
    deepStrictEqual(
      { hash, revision, totalKeys },
      { hash: theirs.hash, revision: theirs.revision, totalKeys: theirs.totalKeys },
    );
  }

  /** The server has the first processor to itself meanwhile, and this process the others. */
  async apart<Result>(work: () => Promise<Result>): Promise<Result> {
    const last = cpus().length - 1;
    if (last === 0) throw new TypeError('one processor is not enough to measure two processes apart');
    await pin(this.#serverPid, '0');
    await pin(process.pid, `1-${last}`);
    try {
      return await work();
    } finally {
      await pin(this.#serverPid, `0-${last}`);
      await pin(process.pid, `0-${last}`);
    }
  }

  async costOfSave(): Promise<Cost> {
    const file = await this.freeName();
    return await costOfWork(() => this.save(file), this.#serverPid);
  }

  async costOfEtcdctl(): Promise<ProgramCost> {
    return await costOfProgram(this.#etcdctl(await this.freeName()), this.#serverPid);
  }

  costOfVerify(): Promise<Cost> {
    return costOfWork(() => verifySnapshot(this.file), this.#serverPid);
  }

  costOfEtcdutl(): Promise<ProgramCost> {
    return costOfProgram([etcdProgram('etcdutl'), 'snapshot', 'status', this.file], this.#serverPid);
  }

  costOfStatus(): Promise<Cost> {
    return costOfWork(() => snapshotStatus(this.file), this.#serverPid);
  }

  async judged(): Promise<readonly number[]> {
    return fieldsOf(await snapshotStatus(this.file));
  }

  async verified(): Promise<readonly number[]> {
    return fieldsOf(await verifySnapshot(this.file));
  }

  async judgedByEtcdutl(): Promise<readonly number[]> {
    const text = await runProgram([
      etcdProgram('etcdutl'),
      'snapshot',
      'status',
      this.file,
      '--write-out=json',
    ]);
    return Object.values(JSON.parse(text) as Record<string, number>);
  }

  /** The same, and the SHA-256 of the database. */
  async proven(): Promise<readonly (number | string)[]> {
    const info = await verifySnapshot(this.file);
    return [...fieldsOf(info), info.sha256];
  }

  async provenByPrograms(): Promise<readonly (number | string)[]> {
    const [, sha256 = ''] = (await runProgram(['sh', '-c', hashByProgram, this.file])).split('= ');
    return [...(await this.judgedByEtcdutl()), sha256.trim()];
  }

  costOfPrograms(): Promise<ProgramCost> {
    const both = `"$1" snapshot status "$0" && ${hashByProgram}`;
    return costOfProgram(['sh', '-c', both, this.file, etcdProgram('etcdutl')], this.#serverPid);
  }

  async hashAlone(): Promise<string> {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(hashedAtOnce);
    const fd = openSync(this.file, 'r');
    try {
      let left = fstatSync(fd).size - digestBytes;
      while (left > 0) {
        const bytes = readSync(fd, buffer, 0, Math.min(left, buffer.length), null);
        if (bytes === 0) throw new TypeError('the file has become shorter');
        hash.update(buffer.subarray(0, bytes));
        left -= bytes;
      }
    } finally {
      closeSync(fd);
    }
    return hash.digest('hex');
  }

  costOfHash(): Promise<Cost> {
    return costOfWork(() => this.hashAlone(), this.#serverPid);
  }

  /** In a process of its own, as the programs. */
  async costOfVerifyAlone(): Promise<ProgramCost> {
    return await costOfProgram(this.#alone('verify', this.file), this.#serverPid);
  }

  /** In a process of its own, without TLS. */
  async costOfSaveAlone(): Promise<ProgramCost> {
    const words = ['save', await this.freeName(), ...this.#cluster.endpoints.slice(0, 1)];
    return await costOfProgram(this.#alone(...words), this.#serverPid);
  }

  #alone(...words: readonly string[]): [string, ...string[]] {
    return [process.execPath, '--conditions=source', alone, ...words];
  }

  /** Makes the next reader of the file read it from the disk. */
  async cool(): Promise<void> {
    await runProgram(['sync', this.file]);
    await runProgram(['dd', `if=${this.file}`, 'iflag=nocache', 'count=0', 'status=none']);
  }

  get #serverPid(): number {
    const pid = this.#cluster.members[0]?.pid;
    if (pid === undefined) throw new TypeError('the server does not run');
    return pid;
  }

  #etcdctl(file: string): [string, ...string[]] {
    const files = this.#cluster.tls?.files;
    const tls =
      files === undefined
        ? []
        : [`--cacert=${files.ca}`, `--cert=${files.certificate}`, `--key=${files.key}`];
    return [
      etcdProgram('etcdctl'),
      `--endpoints=${this.#cluster.endpoints.join()}`,
      ...tls,
      'snapshot',
      'save',
      file,
    ];
  }
}

/** In the order in which `etcdutl` prints them. */
function fieldsOf({ hash, revision, totalKeys, totalBytes }: SnapshotStatus): readonly number[] {
  return [hash, Number(revision), Number(totalKeys), Number(totalBytes)];
}

/** All threads of a process; those that come inherit it. */
async function pin(pid: number, processors: string): Promise<void> {
  await runProgram(['taskset', '--all-tasks', '--cpu-list', '--pid', processors, `${pid}`]);
}
