import { join } from 'node:path';

/**
 * What a restore makes in a data directory, beside what is etcd's: `member`. All in one directory, which may be a mount
 * point: only what is below it is ever renamed, and that never leaves its filesystem.
 */
export type RestoreLayout = {
  /** etcd's data. */
  readonly member: string;
  /** Everything that is made before the switch. */
  readonly work: string;
  /** In there: a data directory that was made and proven. While in the making it has `-UUID` behind its name, of its call. */
  readonly made: string;
  /** In there: it is complete, and what is left to do is to switch. */
  readonly complete: string;
  /** What was there before; kept until the restored member is known to be healthy. */
  readonly former: string;
  /** `former`, once it is not needed any more, while it is removed. */
  readonly gone: string;
};

export function layoutOf(dataDirectory: string): RestoreLayout {
  const work = join(dataDirectory, '.restore');
  return {
    member: join(dataDirectory, 'member'),
    work,
    made: join(work, 'made'),
    complete: join(work, 'complete'),
    former: join(dataDirectory, '.before-restore'),
    gone: join(dataDirectory, '.before-restore.gone'),
  };
}

/** etcd's database, in its `member` directory. */
export function databaseIn(member: string): string {
  return join(member, 'snap', 'db');
}
