import { defineConfig } from 'oxlint';

/** What each package may import of ours: data flows one way, and an import against the arrow is an error. */
const arrow = {
  'packages/sys': [],
  native: [],
  'packages/block': ['sys', 'native'],
  'packages/luks': ['sys'],
  'packages/tpm': ['sys', 'native'],
  'packages/kms': ['sys', 'native/memory'],
  'packages/keys': ['sys', 'luks', 'tpm', 'kms'],
  'packages/bpf': ['sys'],
  'packages/capture': ['sys', 'native', 'native/http2', 'bpf'],
  'packages/cgroup': ['sys', 'native'],
  'packages/trim': ['sys', 'block'],
  'packages/kvstore': ['sys', 'native', 'native/snapshot'],
  'packages/config': ['sys', 'block/selector', 'block/expression', 'cgroup/policy', 'kms/endpoint'],
  'packages/volumes': ['sys', 'block', 'luks', 'keys', 'config'],
  'packages/api': ['sys'],
  'packages/agent': [
    'sys',
    'block',
    'luks',
    'tpm',
    'kms',
    'keys',
    'bpf',
    'capture',
    'capture/decode',
    'capture/formats',
    'cgroup',
    'trim',
    'kvstore',
    'native/memory',
    'cgroup/policy',
    'volumes',
    'config',
    'api',
  ],
  'packages/osctl': [
    'sys',
    'block/selector',
    'luks/recovery-key',
    'api',
    'config',
    'bpf',
    'capture/call',
    'capture/decode',
    'capture/formats',
    'cgroup/schema',
    'kvstore/rehearsal',
    'kvstore/verify',
  ],
  'packages/testkit': ['sys', 'api'],
} satisfies Record<string, readonly string[]>;

const entryPoints = [
  ...Object.keys(arrow).map((directory) => directory.replace('packages/', '')),
  'block/selector',
  'block/expression',
  'cgroup/policy',
  'luks/recovery-key',
  'kms/endpoint',
  'capture/call',
  'capture/decode',
  'capture/formats',
  'cgroup/schema',
  'kvstore/rehearsal',
  'kvstore/verify',
  'native/http2',
  'native/memory',
  'native/snapshot',
  'bench',
  'hw-tests',
];

const koffi = {
  name: 'koffi',
  message: "Unsafe code has an address: declare the function in this package's src/ffi.ts.",
  allowTypeImports: true,
};

function rulesOf([directory, allowed]: [string, readonly string[]]) {
  const name = directory.replace('packages/', '');
  const list = allowed.length === 0 ? 'nothing' : allowed.join(', ');
  const message = `Data flows one way. ${name} may import ${list} of ours.`;
  const against = entryPoints
    .filter((entry) => !allowed.includes(entry))
    .map((entry) => ({ name: `@nodecore/${entry}`, message }));
  return [
    {
      files: [`${directory}/src/**/*.ts`],
      rules: { 'no-restricted-imports': ['error', { paths: [koffi, ...against] }] },
    },
    {
      files: [`${directory}/src/**/ffi.ts`, `${directory}/src/**/ffi-*.ts`],
      rules: { 'no-restricted-imports': ['error', { paths: against }] },
    },
  ] as const;
}

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise'],
  categories: { correctness: 'error', suspicious: 'warn' },
  options: { typeAware: true },
  ignorePatterns: ['**/dist/**', '**/gen/**', 'native/build*/**', '.cache/**'],
  env: { node: true, es2024: true },
  rules: {
    'import/no-cycle': 'error',
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
  },
  overrides: [
    ...Object.entries(arrow).flatMap(rulesOf),
    {
      files: ['**/test/**/*.ts'],
      rules: { 'no-restricted-imports': 'off', 'typescript/no-explicit-any': 'off' },
    },
  ],
});
