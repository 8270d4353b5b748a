const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Of this machine, as releases have it: `amd64`. */
export const architectureOfNode: string = architectures[process.arch] ?? process.arch;
