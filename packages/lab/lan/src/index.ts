export { Balancer } from './balancer.ts';
export { bridgeCommands } from './bridge.ts';
export {
  type Chaos,
  type Direction,
  directions,
  effectProblems,
  type Effects,
  hasEffects,
} from './chaos/effects.ts';
export { hostAddress, parseCidr } from './cidr.ts';
export { dnsmasqConfig } from './dnsmasq.ts';
export { type Dial } from './dial.ts';
export { LanError, type LanErrorCode } from './errors.ts';
export { removeNetwork } from './host-namespaces.ts';
export { hostAddress6, parseCidr6, ulaPrefix } from './ipv6.ts';
export { InsideProgram, type ProgramSpec } from './inside-program.ts';
export { Lan } from './lan.ts';
export { Namespace, type NamespaceFiles } from './namespace.ts';
export { type Computer, preflightProblems } from './preflight.ts';
export {
  type BalancerSpec,
  type Door,
  type LanHost,
  lanProblems,
  type LanSpec,
  type Network,
  type Outlet,
  type SocketAddress,
} from './spec.ts';
export { hasUplink } from './uplink.ts';
