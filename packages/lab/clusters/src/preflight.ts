import { accessSync, constants } from 'node:fs';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { totalmem } from 'node:os';
import { join } from 'node:path';

import { preflightProblems as lanProblems, type SocketAddress } from '@nodecore/lan';

import type { ContainerParts } from './container/parts.ts';
import type { ImageCacheRequest } from './image-cache-flags.ts';
import { usualDoor } from './plan.ts';
import { isSecure } from './presets.ts';
import type { ClusterRequest } from './request.ts';

/** Where releases of Debian have it; from qemu-system-common in the second. */
const virtiofsd = ['/usr/libexec/virtiofsd', '/usr/lib/qemu/virtiofsd'] as const;

/** All that this computer lacks for a cluster, in words; empty when it has everything. */
export function preflightProblems(request: ClusterRequest): readonly string[] {
  if (request.container !== undefined) return containerProblems(request, request.container);
  const secure = isSecure(request.presets);
  const files: readonly (readonly [string, string])[] = [
    ['/usr/bin/qemu-system-x86_64', 'qemu-system-x86'],
    ...(request.uefi ? firmwareFiles(request.firmwarePaths, secure) : []),
    ...(request.imageCache === undefined ? [] : cacheFiles(request.imageCache)),
    ...(secure ? ([['/usr/bin/swtpm', 'swtpm']] as const) : []),
    ...(secure || request.tpm !== true ? [] : ([['/usr/bin/swtpm', 'swtpm']] as const)),
    ...('pxe' in request.image ? ([['/usr/lib/ipxe/qemu/efi-virtio.rom', 'ipxe-qemu']] as const) : []),
    ...('path' in request.image ? ([[request.image.path, 'the disk image']] as const) : []),
    ...localFiles(request.image),
    ...(request.chaos === undefined
      ? []
      : ([
          ['/usr/sbin/nft', 'nftables'],
          ['/usr/sbin/tc', 'iproute2'],
        ] as const)),
    ...(['metal-iso', 'cidata'].includes(request.injection ?? '')
      ? ([['/usr/bin/xorriso', 'xorriso']] as const)
      : []),
    ...(request.shares === undefined || virtiofsd.some(isThere)
      ? []
      : ([[virtiofsd[0], 'virtiofsd']] as const)),
    ...('kernel' in request.image
      ? ([
          [request.image.kernel, 'the kernel'],
          [request.image.initrd, 'its first filesystem'],
        ] as const)
      : []),
  ];
  return [
    ...(request.network === 'user' ? [] : lanProblems()),
    ...files
      .filter(([path]) => !isThere(path))
      .map(([path, source]) => `${path} is missing: install ${source}`),
    ...memoryProblems(request),
  ];
}

/** What is missing is told of the usual place. */
function firmwareFiles(
  more: readonly string[] = [],
  secure: boolean,
): readonly (readonly [string, string])[] {
  const name = `OVMF_CODE_4M${secure ? '.secboot' : ''}.fd`;
  const usual = join('/usr/share/OVMF', name);
  const found = [usual, ...more.map((each) => join(each, name))].find(isThere);
  return [
    [found ?? usual, 'ovmf'],
    ...more.map((each) => [each, 'the firmware of --extra-uefi-search-paths'] as const),
  ];
}

function cacheFiles({ path, tls }: ImageCacheRequest): readonly (readonly [string, string])[] {
  return [
    [join(path, 'manifests'), 'an image cache: osctl image cache-create makes one'],
    ...(tls === undefined
      ? []
      : ([
          [tls.certFile, 'the certificate of the image cache'],
          [tls.keyFile, 'its key'],
        ] as const)),
  ];
}

/** What containers need, which is no QEMU. */
function containerProblems(request: ClusterRequest, { runtime, mounts }: ContainerParts): readonly string[] {
  const { image } = request;
  const files: readonly (readonly [string, string])[] = [
    [runtime, 'install runc or crun'],
    ['/usr/bin/unsquashfs', 'install squashfs-tools'],
    ...('root' in image && !URL.canParse(image.root) ? ([[image.root, 'give --image']] as const) : []),
    ...mounts.flatMap(({ type, source = '' }) =>
      type === 'bind' ? ([[source, 'it is to be mounted']] as const) : [],
    ),
  ];
  return [
    ...(process.getuid?.() === 0 ? [] : ['not root: containers need it; use sudo, or create vm or dev']),
    ...lanProblems(),
    ...files.filter(([path]) => !isThere(path)).map(([path, advice]) => `${path} is missing: ${advice}`),
    ...memoryProblems(request),
  ];
}

function memoryProblems({ machines, controlplanes, workers }: ClusterRequest): readonly string[] {
  const wanted = controlplanes * machines.controlplane.memoryMib + workers * machines.worker.memoryMib;
  const there = Math.floor(totalmem() / 2 ** 20);
  return wanted > there ? [`the machines want ${wanted} MiB of memory, and there are ${there}`] : [];
}

/** Which of the ports that are to be exposed somebody else has, in words. */
export async function portProblems({ container }: ClusterRequest): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { address, hostPort, protocol } of container?.ports ?? [])
    if (!(await isFree({ address, port: hostPort }, protocol)))
      problems.push(`${protocol === undefined ? '' : 'UDP '}port ${hostPort} of ${address} is not free`);
  return problems;
}

/** Images of this computer, which start machines. */
function localFiles(image: ClusterRequest['image']): readonly (readonly [string, string])[] {
  const [path] = ['iso', 'usb', 'uki'].flatMap(
    (kind) => (image as Readonly<Record<string, string>>)[kind] ?? [],
  );
  return path === undefined || URL.canParse(path) ? [] : [[path, 'what it starts from']];
}

/** Where the host can listen for a node: its usual door, or a free port of 127.0.0.1 when somebody else has that. */
export async function freeDoor(address: string, usualPort?: number): Promise<SocketAddress> {
  const usual = { ...usualDoor(address), ...(usualPort !== undefined && { port: usualPort }) };
  if ((await listens(usual)) !== undefined) return usual;
  const port = await listens({ address: '127.0.0.1', port: 0 });
  return { address: '127.0.0.1', port: port ?? usual.port };
}

async function isFree(place: SocketAddress, protocol: 'udp' | undefined): Promise<boolean> {
  if (protocol === undefined) return (await listens(place)) !== undefined;
  const socket = createSocket('udp4');
  try {
    socket.bind({ ...place, exclusive: true });
    await once(socket, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}

/** Where the host can take datagrams: there, or at a free port of 127.0.0.1 when somebody else does. */
export async function freeUdp(usual: SocketAddress): Promise<SocketAddress> {
  for (const { address, port } of [usual, { address: '127.0.0.1', port: 0 }]) {
    const socket = createSocket('udp4');
    try {
      socket.bind({ address, port, exclusive: true });
      await once(socket, 'listening');
      return { address, port: socket.address().port };
    } catch {
      // somebody else's
    } finally {
      socket.close();
    }
  }
  return usual;
}

/** The port, when it was free; it is again. */
async function listens({ address, port }: SocketAddress): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen({ host: address, port });
    await once(server, 'listening');
    const bound = server.address();
    return typeof bound === 'object' && bound !== null ? bound.port : undefined;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}

function isThere(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
