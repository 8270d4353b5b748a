import { defineConfig, type OxlintOverride } from 'oxlint';

/** Arrows between areas run down only: a package may import the areas named here, by the entries that `entries` has. */
export const areas = {
  foundation: [],
  contract: ['foundation'],
  storage: ['contract', 'foundation'],
  network: ['contract', 'foundation'],
  workload: ['network', 'contract', 'foundation'],
  image: ['workload', 'network', 'storage', 'contract', 'foundation'],
  lab: ['image', 'workload', 'network', 'storage', 'contract', 'foundation'],
  apps: ['lab', 'image', 'workload', 'network', 'storage', 'contract', 'foundation'],
} as const satisfies Record<string, readonly string[]>;

/** The packages of each area, and the neighbours in it that each may import. Nobody imports an app. */
export const neighbours: Readonly<Record<keyof typeof areas, Readonly<Record<string, readonly string[]>>>> = {
  foundation: {
    native: ['waiting'],
    waiting: [],
    sys: [],
    pki: ['sys'],
    cli: ['sys'],
    listener: ['sys'],
    state: ['waiting', 'sys'],
    runtime: ['state', 'waiting', 'sys'],
    authv1: ['sys'],
    testkit: ['sys', 'waiting', 'pki'],
  },
  contract: {
    selector: [],
    api: [],
    'kms-endpoint': [],
    'pressure-policy': [],
    schematic: [],
    'fleet-api': ['api'],
    config: ['selector', 'kms-endpoint', 'pressure-policy'],
  },
  storage: {
    block: [],
    luks: [],
    tpm: [],
    kms: [],
    keys: ['luks', 'tpm', 'kms'],
    trim: ['block'],
    volumes: ['block', 'luks', 'keys'],
  },
  network: { bpf: [], capture: ['bpf'], dns: [], 'fleet-link': [] },
  workload: { cgroup: [], host: [], kvstore: [], 'state-etcd': ['kvstore'], oci: [], supervisor: [] },
  image: {
    view: [],
    efi: ['view'],
    uki: ['view', 'efi'],
    meta: [],
    sbom: [],
    boot: ['view', 'efi', 'uki'],
    image: ['view', 'efi', 'uki', 'meta', 'boot'],
    release: ['view', 'efi', 'uki', 'meta', 'sbom', 'boot', 'image'],
  },
  lab: { machine: [], lan: [], clusters: ['machine', 'lan'] },
  apps: { agent: [], osctl: [], 'key-server': [], factory: [], fleet: [], fleetctl: [] },
};

/** Packages with more than one entry: what else they export beside the package itself. */
export const entries: Readonly<Record<string, readonly string[]>> = {
  clusters: ['image-cache', 'remote'],
  machine: ['kept'],
  native: ['files', 'http2', 'memory', 'netns', 'snapshot'],
  sys: ['compile-cache', 'http', 'node-version', 'observer', 'packed-program', 'pure', 'sources'],
  testkit: [
    'agent-environment',
    'agent-program',
    'compile-cache',
    'etcd',
    'fake-clock',
    'notes',
    'program',
    'software-tpm',
    'subsets',
    'tap',
  ],
  api: [
    'capture',
    'cgroup',
    'container',
    'dashboard',
    'event',
    'file',
    'forward',
    'handlers',
    'inspect',
    'kernel-log',
    'kvstore',
    'lifecycle',
    'machine',
    'process',
    'readings',
    'resource',
    'security',
    'service',
    'socket',
    'stat',
    'storage',
    'time',
    'trim',
    'volume',
  ],
  config: ['kernel-arguments'],
  schematic: ['extension', 'release'],
  'fleet-api': ['join', 'protocol'],
  selector: ['expression'],
  luks: ['recovery-key'],
  kms: ['protocol'],
  capture: ['call', 'decode', 'formats'],
  cgroup: ['schema'],
  kvstore: ['rehearsal', 'verify'],
  cli: ['json-path'],
  state: ['sqlite'],
};

/** Clients touch no device: of the areas below contract they import these entries alone. */
const clients: Readonly<Record<string, readonly string[]>> = {
  fleetctl: [],
  osctl: [
    'efi',
    'clusters',
    'clusters/image-cache',
    'clusters/remote',
    'luks/recovery-key',
    'bpf',
    'capture/call',
    'capture/decode',
    'capture/formats',
    'cgroup/schema',
    'kvstore/rehearsal',
    'kvstore/verify',
  ],
};

/** The rooms of packages that have some: folders of `src`, and the other rooms that each may import. Files beside them are for all. */
const rooms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  block: {
    facts: [],
    mounts: [],
    devices: ['facts', 'mounts'],
    content: ['devices', 'facts'],
    links: ['content', 'facts'],
    discovery: ['links', 'content', 'devices', 'facts'],
    proof: ['content', 'devices'],
    partitions: ['proof', 'content', 'devices', 'facts'],
    wipe: ['partitions', 'proof', 'content', 'devices'],
    filesystems: ['proof', 'content', 'devices'],
  },
  volumes: {
    documents: [],
    mounts: [],
    machine: [],
    intents: [],
    facts: ['intents'],
    disks: ['facts'],
    observe: ['disks', 'facts', 'intents'],
    plan: ['facts', 'intents', 'mounts'],
    keys: ['plan', 'observe', 'disks', 'facts'],
    execute: ['keys', 'plan', 'observe', 'facts', 'intents'],
    manager: ['execute', 'keys', 'plan', 'observe', 'disks', 'facts', 'intents', 'mounts', 'machine'],
  },
  'key-server': { ring: [], server: ['ring'], commands: ['server', 'ring'] },
};

/** What a room may not import of its package. */
function roomsAgainst(name: string): { room: string; patterns: { regex: string; message: string }[] }[] {
  const all = Object.entries(rooms[name] ?? {});
  return all.map(([room, allowed]) => {
    const against = all.map(([other]) => other).filter((other) => other !== room && !allowed.includes(other));
    const message = `Arrows between rooms run one way: ${room} may import ${allowed.join(', ') || 'no other room'}.`;
    return { room, patterns: [{ regex: `^\\.\\./(?:${against.join('|')})/`, message }] };
  });
}

const entriesOf = (name: string): readonly string[] => [
  name,
  ...(entries[name] ?? []).map((entry) => `${name}/${entry}`),
];
const entriesIn = (area: keyof typeof areas): readonly string[] =>
  Object.keys(neighbours[area]).flatMap(entriesOf);
const areaNames = Object.keys(areas) as (keyof typeof areas)[];
const everyEntry = [...areaNames.flatMap(entriesIn), 'bench', 'hw-tests'];

const listeners = {
  property: 'addEventListener',
  message: 'A listener has an end: use onAbort, abortable or aborted of @nodecore/waiting.',
};

const koffi = {
  name: 'koffi',
  message: "Unsafe code has an address: declare the function in this package's src/ffi.ts.",
  allowTypeImports: true,
};

function rulesOf(area: keyof typeof areas, name: string): OxlintOverride[] {
  const directory = name === 'native' ? 'native' : `packages/${area}/${name}`;
  const below: readonly (keyof typeof areas)[] = areas[area];
  const client = clients[name];
  const allowed = new Set([
    ...below
      .filter((one) => client === undefined || one === 'contract' || one === 'foundation')
      .flatMap(entriesIn)
      .filter((entry) => !entriesOf('testkit').includes(entry)), // tests import it, sources don't
    ...(neighbours[area][name] ?? []).flatMap(entriesOf),
    ...(client ?? []),
  ]);
  const message = `Data flows one way, down the areas: ${name} may import ${[...allowed].join(', ') || 'nothing'} of ours.`;
  const against = everyEntry
    .filter((entry) => !allowed.has(entry))
    .map((entry) => ({ name: `@nodecore/${entry}`, message }));
  return [
    {
      files: [`${directory}/src/**/*.ts`],
      rules: { 'no-restricted-imports': ['error', { paths: [koffi, ...against] }] },
    },
    ...roomsAgainst(name).map(({ room, patterns }): OxlintOverride => ({
      files: [`${directory}/src/${room}/**/*.ts`],
      rules: { 'no-restricted-imports': ['error', { paths: [koffi, ...against], patterns }] },
    })),
    {
      files: [`${directory}/src/**/ffi.ts`, `${directory}/src/**/ffi-*.ts`],
      rules: { 'no-restricted-imports': ['error', { paths: against }] },
    },
  ];
}

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise'],
  categories: { correctness: 'error', suspicious: 'warn' },
  options: { typeAware: true },
  ignorePatterns: ['**/dist/**', '**/gen/**', 'native/build*/**', '.cache/**'],
  env: { node: true, es2024: true },
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/consistent-type-imports': 'off',
    'no-console': 'off',
    eqeqeq: 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'import/no-unassigned-import': 'off',
    'unicorn/no-array-sort': 'off',
    'no-restricted-imports': ['error', { paths: [koffi] }],
    'no-restricted-properties': ['error', listeners],
  },
  overrides: [
    ...areaNames.flatMap((area) => Object.keys(neighbours[area]).flatMap((name) => rulesOf(area, name))),
    {
      files: ['**/test/**/*.ts'],
      rules: {
        'no-restricted-imports': 'off',
        'no-restricted-properties': 'off',
        'typescript/no-explicit-any': 'off',
      },
    },
    // Listeners of a page end with the page, or with what they listen to.
    {
      files: ['packages/apps/fleet/ui/src/**', 'packages/apps/factory/static/**'],
      rules: { 'no-restricted-properties': 'off' },
    },
    { files: ['packages/foundation/waiting/src/on-abort.ts'], rules: { 'no-restricted-properties': 'off' } },
  ],
});
