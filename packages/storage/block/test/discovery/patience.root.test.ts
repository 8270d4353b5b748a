import { type Clock, systemClock } from '@nodecore/waiting';
import { command, loopDevice, output, program, root, testWith } from '@nodecore/testkit';

import { type DiscoveredVolume, type Inventory, watch } from '../../src/index.ts';
import { sfdisk } from '../contents.ts';

const rooted = testWith(root, program('losetup'), program('partx'), program('sfdisk'), program('resizepart'));

/** Short pauses are real; long ones are over when the test says so. */
class PatientClock implements Clock {
  #over = Promise.withResolvers<void>();

  now(): number {
    return systemClock.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms < 1000) await systemClock.sleep(ms, signal);
    else await Promise.race([this.#over.promise, systemClock.sleep(600_000, signal)]);
  }

  /** Whoever sleeps for long now, wakes. */
  pass(): void {
    this.#over.resolve();
    this.#over = Promise.withResolvers();
  }
}

function at({ volumes }: Inventory, path: string): DiscoveredVolume | undefined {
  return volumes.find(({ devPath }) => devPath === path);
}

rooted('what nobody announces is noticed when the facts are read again', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 64 << 20 });
  await sfdisk(disk.path, 'label: gpt\nsize=8M\n');
  await output(['partx', '--update', disk.path]);
  t.teardown(() => command(['partx', '--delete', disk.path]));
  const clock = new PatientClock();
  const watching = watch({ clock });
  t.teardown(() => watching.return?.());
  const part = `${disk.path}p1`;
  let inventory = (await watching.next()).value as Inventory;
  while (!watching.settled) inventory = (await watching.next()).value as Inventory;
  t.is(at(inventory, part)?.size, 8n << 20n);
  await output(['resizepart', disk.path, '1', String((16 << 20) / 512)]); // opens the disk read-only
  clock.pass();
  while (at(inventory, part)?.size !== 16n << 20n) inventory = (await watching.next()).value as Inventory;
  t.pass();
});
