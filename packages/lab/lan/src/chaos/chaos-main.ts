/**
 * The process between a machine's tap and the bridge: it takes frames from one tap device and gives them to another, late,
 * changed or out of order. It goes on without who started it, as the machine does, until somebody ends it.
 */
import { writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';

import { ioctl } from '@nodecore/sys';

import type { ChaosDevices } from './commands.ts';
import type { Chaos, Effects } from './effects.ts';
import { FrameLine } from './frame-line.ts';

/** The devices once, then what happens, as often as it changes; each is answered with `done`. */
export type ToChaos = { readonly devices?: Pick<ChaosDevices, 'near' | 'far'>; readonly chaos?: Chaos };

/** linux/if_tun.h: TUNSETIFF; IFF_TAP, IFF_NO_PI. */
const [setInterface, tapFlags] = [0x400454ca, 0x0002 | 0x1000];
/** More than any frame with the largest MTU. */
const frameBytes = 16_384;

const lines = new Map<keyof Chaos, FrameLine>();

process.on('SIGINT', () => {}); // of the parent's terminal: the parent decides
process.on('disconnect', () => {}); // the next owner of the network ends this process
process.on('message', ({ devices, chaos }: ToChaos) => {
  void perform(devices, chaos ?? {}).then(
    () => process.send?.('done'),
    (error: unknown) => process.send?.(String(error)),
  );
});
process.send?.('ready');
setImmediate(flushCompileCache);

async function perform(devices: ToChaos['devices'], chaos: Chaos): Promise<void> {
  if (devices !== undefined) {
    const [near, far] = [await openTap(devices.near), await openTap(devices.far)];
    lines.set('from', carry(near, far));
    lines.set('to', carry(far, near));
  }
  for (const [direction, line] of lines) line.effects = chaos[direction] ?? ({} satisfies Effects);
}

async function openTap(name: string): Promise<FileHandle> {
  const file = await open('/dev/net/tun', 'r+');
  const request = Buffer.alloc(40); // struct ifreq
  request.write(name);
  request.writeInt16LE(tapFlags, 16);
  await ioctl({ fd: file.fd, path: '/dev/net/tun', name: 'TUNSETIFF' }, setInterface, request);
  return file;
}

/** Until one of the devices goes, and the process with it. */
function carry(source: FileHandle, target: FileHandle): FrameLine {
  const line = new FrameLine(Math.random);
  let timer: NodeJS.Timeout | undefined;
  const give = (frame: Buffer): void => {
    try {
      writeSync(target.fd, frame);
    } catch {
      // It is down, or full: the frame is lost, as on a wire.
    }
  };
  const onTime = (): void => {
    for (const frame of line.due(performance.now())) give(frame);
    timer = undefined;
    wake();
  };
  const wake = (): void => {
    const { nextMs } = line;
    if (nextMs !== undefined) timer ??= setTimeout(onTime, Math.max(nextMs - performance.now(), 0));
  };
  const read = async (): Promise<never> => {
    for (;;) {
      const { bytesRead, buffer } = await source.read(Buffer.allocUnsafe(frameBytes), 0, frameBytes);
      const frame = line.take(buffer.subarray(0, bytesRead), performance.now());
      if (frame !== undefined) give(frame);
      wake();
    }
  };
  read().catch(() => process.kill(process.pid, 'SIGKILL')); // no exit: the other read would be waited for
  return line;
}
