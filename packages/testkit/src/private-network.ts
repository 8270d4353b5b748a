import { lazy, loadLibrary } from '@nodecore/sys';

import { output } from './command.ts';

const CLONE_NEWNET = 0x40000000;

const unshare = lazy(() =>
  loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }).func('int unshare(int flags)'),
);

/**
 * Moves the main thread of this test process into a network namespace of its own, with nothing but loopback: sockets
 * that it opens from now on, and programs that it starts, see no other. The kernel removes the namespace with its last
 * user, so there is nothing to clean up. Needs root.
 */
export async function enterPrivateNetwork(): Promise<void> {
  const status = unshare()(CLONE_NEWNET) as number;
  if (status !== 0) throw new Error('unshare(CLONE_NEWNET) failed: the test needs root');
  await output(['ip', 'link', 'set', 'lo', 'up']);
}

/**
 * Two interfaces joined by a wire: what one sends, the other receives. Without IPv6, which would speak up by itself.
 * Only after {@link enterPrivateNetwork}, with which they go.
 */
export async function vethPair(left: string, right: string): Promise<void> {
  await output(['ip', 'link', 'add', left, 'type', 'veth', 'peer', 'name', right]);
  for (const name of [left, right]) {
    await output(['ip', 'link', 'set', name, 'addrgenmode', 'none']);
    await output(['ip', 'link', 'set', name, 'up']);
  }
}
