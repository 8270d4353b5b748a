import { Uint } from './cel/uint.ts';
import { type Field } from './facts.ts';

/** The facts of a network interface that selectors can read. What an interface does not have is empty or 0. */
export type SelectableLink = {
  readonly name: string;
  readonly index: number;
  readonly type: string;
  readonly kind: string;
  readonly slaveKind: string;
  readonly hardwareAddr: Uint8Array;
  /** What the card came with, whatever it has now. */
  readonly permanentAddr: Uint8Array;
  readonly mtu: number;
  readonly operationalState: string;
  readonly alias: string;
  readonly altNames: readonly string[];
  readonly busPath: string;
  readonly pciID: string;
  readonly driver: string;
  readonly driverVersion: string;
  readonly firmwareVersion: string;
  readonly product: string;
  readonly productID: string;
  readonly vendor: string;
  readonly vendorID: string;
  /** Whether there is a carrier. */
  readonly linkState: boolean;
  readonly speedMbit: number;
  readonly port: string;
  readonly duplex: string;
};

/** Fields of `link` by their names in CEL, which configurations contain: none may be renamed. */
export const linkFields: Readonly<Record<string, Field<SelectableLink>>> = {
  name: ['string', (link) => link.name],
  index: ['uint', (link) => new Uint(link.index)],
  type: ['string', (link) => link.type],
  kind: ['string', (link) => link.kind],
  slave_kind: ['string', (link) => link.slaveKind],
  hardware_addr: ['bytes', (link) => link.hardwareAddr],
  permanent_addr: ['bytes', (link) => link.permanentAddr],
  mtu: ['uint', (link) => new Uint(link.mtu)],
  operational_state: ['string', (link) => link.operationalState],
  alias: ['string', (link) => link.alias],
  alt_names: ['list<string>', (link) => link.altNames],
  bus_path: ['string', (link) => link.busPath],
  pciid: ['string', (link) => link.pciID],
  driver: ['string', (link) => link.driver],
  driver_version: ['string', (link) => link.driverVersion],
  firmware_version: ['string', (link) => link.firmwareVersion],
  product: ['string', (link) => link.product],
  product_id: ['string', (link) => link.productID],
  vendor: ['string', (link) => link.vendor],
  vendor_id: ['string', (link) => link.vendorID],
  link_state: ['bool', (link) => link.linkState],
  speed_mbit: ['uint', (link) => new Uint(link.speedMbit)],
  port: ['string', (link) => link.port],
  duplex: ['string', (link) => link.duplex],
};
