import { accessSync, constants } from 'node:fs';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

import { preflightProblems as lanProblems, type SocketAddress } from '@nodecore/lan';

import type { BootImage } from './boot-image.ts';
import type { ContainerParts } from './container/parts.ts';
import { keyServerCommand } from './gateway/key-server.ts';
import { serviceProblems } from './gateway/services.ts';
import type { ImageCacheRequest } from './image-cache-flags.ts';
import { ClusterError } from './errors.ts';
import { memoryProblems } from './memory.ts';
import { factoryPlace, ownFactoryProblems } from './own-factory.ts';
import { usualDoor } from './plan.ts';
import { isSecure } from './presets.ts';
import type { ClusterRequest } from './request.ts';
import { isUrl } from './url-flag.ts';
import { hasKeyServer } from './volume-request.ts';

/** Where releases of Debian have it; from qemu-system-common in the second. */
const virtiofsd = ['/usr/libexec/virtiofsd', '/usr/lib/qemu/virtiofsd'] as const;

/**
 * All that this computer lacks for a cluster, in words; empty when it has everything.
 *
 * @param options `overcommits`: machines may have more memory than there is
 */
export function preflightProblems(
  request: ClusterRequest,
  { overcommits = false }: { readonly overcommits?: boolean } = {},
): readonly string[] {
  return [
    ...(request.container === undefined
      ? machineProblems(request)
      : containerProblems(request, request.container)),
    ...(overcommits ? [] : memoryProblems(request)),
  ];
}

function machineProblems(request: ClusterRequest): readonly string[] {
  const secure = isSecure(request.presets);
  const files: readonly (readonly [string, string])[] = [
    ['/usr/bin/qemu-system-x86_64', 'qemu-system-x86'],
    ...(request.uefi ? firmwareFiles(request.firmwarePaths, secure) : []),
    ...(request.imageCache === undefined ? [] : cacheFiles(request.imageCache)),
    ...(secure ? ([['/usr/bin/swtpm', 'swtpm']] as const) : []),
    ...(secure || request.tpm !== true ? [] : ([['/usr/bin/swtpm', 'swtpm']] as const)),
    ...('pxe' in request.image ? ([['/usr/lib/ipxe/qemu/efi-virtio.rom', 'ipxe-qemu']] as const) : []),
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
  ];
  return [
    ...(request.network === 'user' ? [] : lanProblems()),
    ...files
      .filter(([path]) => !isThere(path))
      .map(([path, source]) => `${path} is missing: install ${source}`),
    ...(hasKeyServer(request) && keyServerCommand() === undefined
      ? ['the program nodecore-kms is missing: install @nodecore/key-server']
      : []),
    ...serviceProblems(request.services ?? []),
    ...ownFactoryProblems(request, factoryPlace()),
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
    ...('root' in image && !isUrl(image.root) ? ([[image.root, 'give --image']] as const) : []),
    ...mounts.flatMap(({ type, source = '' }) =>
      type === 'bind' ? ([[source, 'it is to be mounted']] as const) : [],
    ),
  ];
  return [
    ...(process.getuid?.() === 0 ? [] : ['not root: containers need it; use sudo, or create vm or dev']),
    ...lanProblems(),
    ...files.filter(([path]) => !isThere(path)).map(([path, advice]) => `${path} is missing: ${advice}`),
    ...ownFactoryProblems(request, factoryPlace()),
  ];
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
function localFiles(image: BootImage): readonly (readonly [string, string])[] {
  const words = {
    path: 'the disk image',
    iso: 'what it starts from',
    usb: 'what it starts from',
    uki: 'what it starts from',
    kernel: 'the kernel',
    initrd: 'its first filesystem',
  };
  const given: Readonly<Record<string, string>> = image;
  return Object.entries(words).flatMap(([kind, what]) => {
    const path = given[kind];
    return path === undefined || isUrl(path) ? [] : [[path, what] as const];
  });
}

/** Where the host can listen for a node: its usual door, or a free port of 127.0.0.1 when somebody else has that. */
export async function freeDoor(address: string, usualPort?: number): Promise<SocketAddress> {
  const usual = { ...usualDoor(address), ...(usualPort !== undefined && { port: usualPort }) };
  if ((await listens(usual)) !== undefined) return usual;
  const port = await listens({ address: '127.0.0.1', port: 0 });
  return { address: '127.0.0.1', port: port ?? usual.port };
}

/** A port of 127.0.0.1 that nobody has. */
export async function freePort(): Promise<number> {
  const port = await listens({ address: '127.0.0.1', port: 0 });
  if (port !== undefined) return port;
  throw new ClusterError('ERR_CLUSTER_PREFLIGHT', 'no port of 127.0.0.1 is free');
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
