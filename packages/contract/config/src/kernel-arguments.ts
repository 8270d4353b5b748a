/**
 * Arguments of the kernel's command line that our programs give and read: the one place for their names. What each means is in
 * docs/agent.md; `os.watchdog` is read by PID 1.
 */
export const kernelArgument = {
  bootEntry: 'os.boot.entry',
  bootPartition: 'os.boot.partition',
  bootStart: 'os.boot.start',
  config: 'os.config',
  configEarly: 'os.config.early',
  configInline: 'os.config.inline',
  dashboardConsole: 'os.dashboard.console',
  dashboardDisabled: 'os.dashboard.disabled',
  environment: 'os.environment',
  eventsSink: 'os.events.sink',
  experimentalWipe: 'os.experimental.wipe',
  haltIfInstalled: 'os.halt_if_installed',
  hostname: 'os.hostname',
  interfaceIgnore: 'os.network.interface.ignore',
  keyDerivation: 'os.key-derivation',
  link: 'os.link',
  loggingKernel: 'os.logging.kernel',
  platform: 'os.platform',
  proofLimit: 'os.proof-limit',
  shutdown: 'os.shutdown',
  watchdog: 'os.watchdog',
} as const;

/** One of them. */
export type KernelArgument = (typeof kernelArgument)[keyof typeof kernelArgument];

const known: ReadonlySet<string> = new Set(Object.values(kernelArgument));

/** Of the kernel's own, those by which other systems set up the network before there is a configuration. */
const ofOthers: ReadonlySet<string> = new Set(['ip', 'bond', 'vlan']);

/**
 * Whether a node of this version does not act on an argument, although its name says that it is for a node: `os.` and a name that is
 * not in the table, and `ip`, `bond` and `vlan`. Everything else is the kernel's.
 *
 * @param name without a value.
 */
export function isIgnoredArgument(name: string): boolean {
  return ofOthers.has(name) || (name.startsWith('os.') && !known.has(name));
}
