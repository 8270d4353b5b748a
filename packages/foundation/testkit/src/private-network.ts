import { output } from './command.ts';

/**
 * For tests in files named `*.netns.root.test.ts`, which the runner starts in a network namespace of their own
 * (`unshare --net ava FILE` does the same for one file): loopback comes up. The kernel removes the namespace, and
 * all that is made in it, with the last process inside. Needs root.
 *
 * @throws where any interface is up already: this is somebody's network.
 */
export async function privateNetwork(): Promise<void> {
  const listed = JSON.parse(await output(['ip', '-j', 'link', 'show', 'up'])) as readonly {
    ifname?: string;
  }[];
  const up = listed.flatMap(({ ifname }) => ifname ?? []); // what is not shown is listed, too, as an empty object
  if (up.length > 0)
    throw new Error(`the test needs a network of its own, and here is ${up.join(', ')}: npm test -- root`);
  await output(['ip', 'link', 'set', 'lo', 'up']);
}

/** Two interfaces joined by a wire: what one sends, the other receives. Without IPv6, which would speak up by itself. */
export async function vethPair(left: string, right: string): Promise<void> {
  await output(['ip', 'link', 'add', left, 'type', 'veth', 'peer', 'name', right]);
  for (const name of [left, right]) {
    await output(['ip', 'link', 'set', name, 'addrgenmode', 'none']);
    await output(['ip', 'link', 'set', name, 'up']);
  }
}
