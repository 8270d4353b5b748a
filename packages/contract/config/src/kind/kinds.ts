import { type DocumentKind } from '../document.ts';
import { linkAgent } from './fleet/link-agent.ts';
import { discoveryIdentity, discoveryService } from './cluster/discovery.ts';
import { container } from './containers/container.ts';
import { criBaseRuntimeSpec, criCustomization } from './images/cri.ts';
import { imageCache } from './images/image-cache.ts';
import { imageVerification } from './images/image-verification.ts';
import { registryAuth, registryMirror, registryTls } from './images/registry.ts';
import { securityProfile } from './security/security-profile.ts';
import { lvmLogicalVolume, lvmVolumeGroup, raidArray } from './storage/lvm.ts';
import { extensionService } from './runtime/extension-service.ts';
import { pciDriverRebind } from './hardware/pci-driver-rebind.ts';
import { machineRoot } from './machine/root.ts';
import { bgpInstance } from './network/bgp-instance.ts';
import { blackholeRoute } from './network/blackhole-route.ts';
import { bond } from './network/bond.ts';
import { bridge } from './network/bridge.ts';
import { dhcpv4 } from './network/dhcpv4.ts';
import { dhcpv6 } from './network/dhcpv6.ts';
import { dummyLink } from './network/dummy-link.ts';
import { ethernet } from './network/ethernet.ts';
import { hcloudVip } from './network/hcloud-vip.ts';
import { layer2Vip } from './network/layer2-vip.ts';
import { link } from './network/link.ts';
import { linkAlias } from './network/link-alias.ts';
import { mesh } from './network/mesh.ts';
import { meshEndpoints } from './network/mesh-endpoints.ts';
import { networkDefaultAction } from './network/network-default-action.ts';
import { networkRule } from './network/network-rule.ts';
import { routingRule } from './network/routing-rule.ts';
import { veth } from './network/veth.ts';
import { vlan } from './network/vlan.ts';
import { vrf } from './network/vrf.ts';
import { wireguard } from './network/wireguard.ts';
import {
  orchAdmissionControl,
  orchAggregatorCa,
  orchApiServer,
  orchApiServerCa,
  orchAuditPolicy,
  orchAuthentication,
  orchAuthorizer,
} from './orchestrator/api-server.ts';
import { orchCluster, orchNetwork } from './orchestrator/cluster.ts';
import {
  orchControllerManager,
  orchCoreDns,
  orchFlannelCni,
  orchProxy,
  orchScheduler,
} from './orchestrator/control-plane.ts';
import { orchExternalManifest, orchInlineManifest, orchStaticPod } from './orchestrator/manifests.ts';
import { orchBalancer, orchCredentialProvider, orchKubelet, orchNode } from './orchestrator/node.ts';
import { orchKvstoreEncryption, orchNodeApiAccess, orchServiceAccount } from './orchestrator/trust.ts';
import { environment } from './runtime/environment.ts';
import { etcFile } from './runtime/etc-file.ts';
import { hostname } from './runtime/hostname.ts';
import { kernelModule } from './runtime/kernel-module.ts';
import { eventSink, kmsgLog } from './runtime/logs.ts';
import { oom } from './runtime/oom.ts';
import { httpProbe, tcpProbe } from './runtime/probes.ts';
import { resolver } from './runtime/resolver.ts';
import { staticHost } from './runtime/static-host.ts';
import { sysctl } from './runtime/sysctl.ts';
import { sysfs } from './runtime/sysfs.ts';
import { timeSync } from './runtime/time-sync.ts';
import { unattendedInstall } from './runtime/unattended-install.ts';
import { udevRules } from './runtime/udev-rules.ts';
import { watchdogTimer } from './runtime/watchdog-timer.ts';
import { trustedRoots } from './security/trusted-roots.ts';
import { filesystemScrub } from './storage/filesystem-scrub.ts';
import { filesystemTrim } from './storage/filesystem-trim.ts';
import { existingVolume, externalVolume } from './storage/foreign-volumes.ts';
import { rawVolume, swapVolume, systemVolume, userVolume } from './storage/volumes.ts';
import { zswap } from './storage/zswap.ts';

/** Every kind that has a description, by area. The one place that knows them all. */
const described = [
  // runtime
  environment,
  etcFile,
  eventSink,
  hostname,
  httpProbe,
  kernelModule,
  kmsgLog,
  oom,
  resolver,
  staticHost,
  sysctl,
  sysfs,
  tcpProbe,
  timeSync,
  udevRules,
  unattendedInstall,
  watchdogTimer,
  extensionService,
  // network
  bgpInstance,
  blackholeRoute,
  bond,
  bridge,
  dhcpv4,
  dhcpv6,
  dummyLink,
  ethernet,
  hcloudVip,
  layer2Vip,
  link,
  linkAlias,
  mesh,
  meshEndpoints,
  networkDefaultAction,
  networkRule,
  routingRule,
  veth,
  vlan,
  vrf,
  wireguard,
  // storage
  existingVolume,
  externalVolume,
  filesystemScrub,
  filesystemTrim,
  rawVolume,
  swapVolume,
  systemVolume,
  userVolume,
  zswap,
  // security
  trustedRoots,
  // fleet
  linkAgent,
  lvmLogicalVolume,
  lvmVolumeGroup,
  raidArray,
  // hardware
  pciDriverRebind,
  // images and containers
  container,
  criBaseRuntimeSpec,
  criCustomization,
  imageCache,
  imageVerification,
  registryAuth,
  registryMirror,
  registryTls,
  // cluster and security
  discoveryIdentity,
  discoveryService,
  securityProfile,
  // orchestrator
  orchAdmissionControl,
  orchAggregatorCa,
  orchApiServer,
  orchApiServerCa,
  orchAuditPolicy,
  orchAuthentication,
  orchAuthorizer,
  orchCluster,
  orchNetwork,
  orchControllerManager,
  orchCoreDns,
  orchFlannelCni,
  orchProxy,
  orchScheduler,
  orchExternalManifest,
  orchInlineManifest,
  orchStaticPod,
  orchBalancer,
  orchCredentialProvider,
  orchKubelet,
  orchNode,
  orchKvstoreEncryption,
  orchNodeApiAccess,
  orchServiceAccount,
] as const;

type Described = (typeof described)[number] | typeof machineRoot;

/** Which value each kind of document reads as. */
export type Values = {
  readonly [One in Described as One['kind']]: One extends DocumentKind<string, infer Value> ? Value : never;
};

/** Every kind that has a description, by its name. */
export const kinds: ReadonlyMap<string, DocumentKind<string, unknown>> = new Map(
  described.map((one) => [one.kind, one]),
);

/** The description of a kind, that of the root document among them. */
export function descriptionOf(kind: string): DocumentKind<string, unknown> | undefined {
  return kind === machineRoot.kind ? machineRoot : kinds.get(kind);
}

/** The documents a configuration may hold; `machine` is the root document, which has no kind. */
export type Kind = keyof Values;
