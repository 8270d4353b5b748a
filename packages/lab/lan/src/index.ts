export { bridgeCommands } from './bridge.ts';
export {
  type Chaos,
  type Direction,
  directions,
  effectProblems,
  type Effects,
  hasEffects,
} from './chaos/effects.ts';
export { dnsmasqConfig, ulaPrefix } from './dnsmasq.ts';
export { LanError, type LanErrorCode } from './errors.ts';
export { removeNetwork } from './host-namespaces.ts';
export { Lan } from './lan.ts';
export { Namespace, type NamespaceFiles } from './namespace.ts';
export { type Computer, preflightProblems } from './preflight.ts';
export {
  type BalancerSpec,
  type Door,
  hostAddress,
  type LanHost,
  lanProblems,
  type LanSpec,
  type Outlet,
  parseCidr,
  type SocketAddress,
} from './spec.ts';
