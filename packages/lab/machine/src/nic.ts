import { escapeComma } from './option-list.ts';

/** One loopback port of the host that reaches a port of the machine. */
export type Forward = { readonly host: number; readonly guest: number };

/** What a network card is plugged into. */
export type NicBackend =
  | {
      /** QEMU's own network, without privileges: the machine is 10.0.2.15, the host 10.0.2.2. */
      readonly kind: 'user';
      readonly forwards?: readonly Forward[];
      /** Default true: the guest reaches nothing, and only forwarded ports reach the guest. */
      readonly restricted?: boolean;
      /** What its DHCP names as the file to start from, at most 127 characters: also a URL, which iPXE fetches. */
      readonly bootFile?: string;
    }
  | {
      readonly kind: 'tap';
      /** An open descriptor of a tap device (TUNSETIFF with IFF_VNET_HDR); QEMU gets a copy, the caller closes its own. */
      readonly descriptor: number;
    }
  | {
      readonly kind: 'tap';
      /** Name of a tap device that is there, in the machine's network namespace, with IFF_VNET_HDR. */
      readonly interface: string;
    }
  | {
      /** A stream of frames, each behind its length in 32 bits, over a Unix socket. */
      readonly kind: 'socket';
      readonly path: string;
      /** QEMU makes the socket and waits there; default: it connects to one that is there. */
      readonly listens?: boolean;
    };

/** What the guest has a driver for. */
export type NicModel = 'virtio' | 'e1000' | 'e1000e' | 'rtl8139';

/** A network card. */
export type Nic = {
  readonly backend: NicBackend;
  /** Default `virtio`. */
  readonly model?: NicModel;
  /** Six bytes in hexadecimal with colons, of one station; default one that QEMU chooses. */
  readonly mac?: string;
  /** What the card says of its network, in bytes; virtio alone says it. */
  readonly mtu?: number;
};

const devices: Record<NicModel, string> = {
  virtio: 'virtio-net-pci',
  e1000: 'e1000',
  e1000e: 'e1000e',
  rtl8139: 'rtl8139',
};

export type NicPlacement = {
  /** QEMU's number of the descriptor of the card with this index. */
  readonly descriptor: (index: number) => number;
  /** The place of the first card among what the firmware tries; without it no card has a boot program. */
  readonly bootIndex?: number | undefined;
};

/** QEMU arguments for the cards, in the order in which the guest finds them. */
export function nicArguments(nics: readonly Nic[], { descriptor, bootIndex }: NicPlacement): string[] {
  return nics.flatMap((nic, index) => {
    const first = bootIndex !== undefined && index === 0;
    const properties = [
      devices[nic.model ?? 'virtio'],
      `netdev=net${index}`,
      `id=nic${index}`,
      ...(nic.mac === undefined ? [] : [`mac=${nic.mac}`]),
      ...(nic.mtu === undefined ? [] : [`host_mtu=${nic.mtu}`]),
      first ? `bootindex=${bootIndex}` : 'romfile=',
    ];
    return [
      '-netdev',
      netdev(nic.backend, `net${index}`, () => descriptor(index)),
      '-device',
      properties.join(','),
    ];
  });
}

function netdev(backend: NicBackend, id: string, descriptor: () => number): string {
  if (backend.kind === 'tap')
    return 'interface' in backend
      ? `tap,id=${id},ifname=${backend.interface},script=no,downscript=no`
      : `tap,id=${id},fd=${descriptor()}`;
  if (backend.kind === 'socket') {
    const server = backend.listens === true ? 'on' : 'off';
    return `stream,id=${id},server=${server},addr.type=unix,addr.path=${escapeComma(backend.path)}`;
  }
  const { restricted = true, forwards = [], bootFile } = backend;
  const file = bootFile === undefined ? '' : `,bootfile=${escapeComma(bootFile)}`;
  const ports = forwards.map(({ host, guest }) => `,hostfwd=tcp:127.0.0.1:${host}-10.0.2.15:${guest}`);
  return `user,id=${id}${restricted ? ',restrict=on' : ''}${file}${ports.join('')}`;
}

/** What makes these cards impossible, in words. */
export function nicProblems(nics: readonly Nic[]): string[] {
  const problems: string[] = [];
  const macs = new Set<string>();
  for (const [index, { mac, mtu, model = 'virtio', backend }] of nics.entries()) {
    const name = `network card ${index}`;
    if (mac !== undefined) {
      const small = mac.toLowerCase();
      if (!/^[\da-f][02468ace](:[\da-f]{2}){5}$/.test(small))
        problems.push(`${name}: address ${mac} is not one station's`);
      if (macs.has(small)) problems.push(`${name}: another has the address ${mac}`);
      macs.add(small);
    }
    if (mtu !== undefined && model !== 'virtio') problems.push(`${name}: ${model} can't say an MTU`);
    if (mtu !== undefined && !(Number.isInteger(mtu) && mtu >= 68 && mtu <= 65_535))
      problems.push(`${name}: MTU ${mtu}`);
    if (backend.kind === 'tap' && 'interface' in backend && !/^[A-Za-z0-9_-]{1,15}$/.test(backend.interface))
      problems.push(`${name}: interface ${backend.interface}`);
    if (backend.kind === 'user' && (backend.bootFile ?? '').length > 127)
      problems.push(`${name}: a file to start from has at most 127 characters`);
    if (backend.kind === 'user')
      problems.push(...(backend.forwards ?? []).flatMap((forward) => forwardProblems(name, forward)));
  }
  return problems;
}

function forwardProblems(name: string, { host, guest }: Forward): string[] {
  return [host, guest]
    .filter((port) => !Number.isInteger(port) || port < 1 || port > 65_535)
    .map((port) => `${name}: port ${port}`);
}
