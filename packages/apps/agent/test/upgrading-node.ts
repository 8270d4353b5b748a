import { mkdir, readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { BootPartition, directoryFiles, parseEntryName } from '@nodecore/boot';
import { metaTag } from '@nodecore/meta';
import { temporaryDirectory } from '@nodecore/testkit';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';

import { Lifecycle } from '../src/lifecycle/lifecycle.ts';
import { Meta } from '../src/persistence/meta.ts';
import { BegunRollback } from '../src/upgrades/begun-rollback.ts';
import { BootMenu } from '../src/upgrades/boot-menu.ts';
import type { CrashReport } from '../src/upgrades/crash-report.ts';
import type { UpgradeOrder, UpgradeParts } from '../src/upgrades/upgrade.ts';
import type { UpgradeEvent } from '../src/upgrades/upgrade-event.ts';
import { Upgrades } from '../src/upgrades/upgrades.ts';
import { installerKey } from './installer-registry.ts';

/** Who signs the installers that these nodes trust. */
export const key = installerKey();
const log = pino({ level: 'silent' });

type Published = Readonly<Record<string, unknown>>;

export type Surroundings = Partial<UpgradeParts> & {
  /** Of the node before: the agent of that has ended. */
  readonly directory?: string;
  readonly freeBytes?: number;
  readonly hasInit?: boolean;
  readonly hasMeta?: boolean;
  readonly crashReport?: () => Promise<CrashReport | undefined>;
  readonly takeBack?: () => Promise<void>;
};

/** A node with these entries on its boot partition; the first one runs. */
export async function nodeWith(t: ExecutionContext, names: readonly string[], around: Surroundings = {}) {
  const { directory = await temporaryDirectory(t) } = around;
  const esp = join(directory, 'esp');
  if (around.directory === undefined) {
    await mkdir(esp);
    for (const name of names) await writeFile(join(esp, name), `image ${name}`);
    await writeFile(join(esp, 'other.efi'), 'not ours');
    await writeFile(join(directory, 'meta'), '');
    await truncate(join(directory, 'meta'), 1 << 20);
  }
  const meta = await Meta.open(join(directory, 'meta'));
  const {
    directory: _,
    freeBytes,
    hasInit = true,
    hasMeta = true,
    crashReport = async () => undefined,
    takeBack = async () => {},
    ...rest
  } = around;
  const said: string[] = [];
  const lifecycle = new Lifecycle({
    clock: new FakeClock(),
    log,
    init: hasInit ? { say: (message) => said.push(message) > 0 } : undefined,
    quiesce: async () => {},
    end: (ending) => void said.push(ending),
  });
  const published = new Map<string, Published>();
  const released: Published[] = [];
  const files = directoryFiles(esp);
  const own = freeBytes === undefined ? files : { ...files, freeBytes: async () => freeBytes };
  const selected = parseEntryName(names[0] ?? '');
  const menu = new BootMenu({
    device: async () => '',
    loader: async () => ({ selected, partitionUuid: undefined, loader: 'systemd-boot' }),
    imageVersion: async () => selected?.imageVersion ?? '',
    target: '/nonexistent',
    open: (booted) => new BootPartition(own, booted),
  });
  const upgrades = new Upgrades({
    log,
    lifecycle,
    begunRollback: new BegunRollback(join(directory, 'rollback')),
    meta: () => (hasMeta ? meta : undefined),
    crashReport,
    tellRelease: (spec) => released.push(spec as Published),
    menu,
    takeBackChoices: takeBack,
    surroundings: async () => ({
      imageVersion: selected?.imageVersion ?? '',
      architecture: 'amd64',
      keys: [key.pem],
      secureBoot: false,
      proveByFirmware: async () => {},
      tellFirmware: async () => undefined,
      directory: join(directory, 'pulled'),
      ...rest,
    }),
    publish: (entries) => {
      published.clear();
      for (const [id, spec] of entries) published.set(id, spec as Published);
    },
  });
  const events: UpgradeEvent[] = [];
  const upgrade = (image: string, order: Partial<UpgradeOrder> = {}): Promise<void> =>
    upgrades.upgrade({ image, expectedDigest: '', dryRun: false, force: false, ...order }, (event) =>
      events.push(event),
    );
  const entries = async (): Promise<string[]> =>
    (await readdir(esp)).filter((file) => file !== 'other.efi').toSorted();
  const record = () => JSON.parse(Buffer.from(meta.get(metaTag.bootRecord) ?? 'null').toString()) as unknown;
  return {
    released,
    directory,
    esp,
    menu,
    upgrades,
    upgrade,
    events,
    entries,
    record,
    published,
    said,
    meta,
    lifecycle,
  };
}
