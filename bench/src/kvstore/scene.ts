import { deepStrictEqual } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { connect, type Kvstore, saveSnapshot, type SnapshotInfo, verifySnapshot } from '@nodecore/kvstore';
import { etcd, type EtcdCluster, etcdProgram } from '@nodecore/testkit/etcd';

import { runProgram } from '../program.ts';
import { fillDatabase } from './database.ts';
import { type Cost, costOfProgram, costOfWork } from './usage.ts';

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

  static async make(stack: AsyncDisposableStack, tls: boolean): Promise<SnapshotScene> {
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
    await fillDatabase(kvstore);
    await saveSnapshot(kvstore, { file: scene.file });
    return scene;
  }

  save(file: string = join(this.#directory, 'ours.db')): Promise<SnapshotInfo> {
    return saveSnapshot(this.#kvstore, { file, replace: true });
  }

  /** What `etcdctl` saves is what we save: of the same database, and sound. */
  async checkSaves(): Promise<void> {
    const { hash, revision, totalKeys } = await this.save();
    const file = await this.#peerFile();
    await runProgram(this.#etcdctl(file));
    const theirs = await verifySnapshot(file);
    deepStrictEqual(
      { hash, revision, totalKeys },
      { hash: theirs.hash, revision: theirs.revision, totalKeys: theirs.totalKeys },
    );
  }

  costOfSave(): Promise<Cost> {
    return costOfWork(() => this.save(), this.#serverPid);
  }

  async costOfEtcdctl(): Promise<Cost> {
    return costOfProgram(this.#etcdctl(await this.#peerFile()), this.#serverPid);
  }

  costOfVerify(): Promise<Cost> {
    return costOfWork(() => verifySnapshot(this.file), this.#serverPid);
  }

  costOfEtcdutl(): Promise<Cost> {
    return costOfProgram([etcdProgram('etcdutl'), 'snapshot', 'status', this.file], this.#serverPid);
  }

  /** In the order in which `etcdutl` prints them. */
  async judged(): Promise<readonly number[]> {
    const { hash, revision, totalKeys, totalBytes } = await verifySnapshot(this.file);
    return [hash, Number(revision), Number(totalKeys), Number(totalBytes)];
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

  async #peerFile(): Promise<string> {
    const file = join(this.#directory, 'theirs.db');
    await rm(file, { force: true });
    return file;
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
