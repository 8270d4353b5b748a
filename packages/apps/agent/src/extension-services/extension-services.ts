import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Condition, ServiceDefinition, Supervisor } from '@nodecore/supervisor';
import { codeOf, writeFileAtomic } from '@nodecore/sys';

import { type Dependence, environmentOf, type ExtensionManifest, parseManifest } from './manifest.ts';

/** What a configuration says of the service of an extension. */
export type ExtensionSettings = {
  readonly name: string;
  readonly configFiles: readonly { readonly content: string; readonly mountPath: string }[];
  readonly environment: readonly string[];
};

export type ExtensionServicesParts = {
  /** Of manifests, `NAME.yaml`. */
  readonly directory: string;
  /** Of what is `/` to them, by name. */
  readonly roots: string;
  /** Options of setpriv(1) for all of them. */
  readonly confinement: readonly string[];
  /** For configuration files, where they do not outlive the boot. */
  readonly runDirectory: string;
  readonly isTimeReady: () => boolean;
  readonly hasAddress: () => boolean;
};

/** Ids of services that extensions bring begin with it. */
export const extensionPrefix = 'ext-';

/** The services that the extensions of the image bring: programs in roots of their own, which see what they say that they need. */
export class ExtensionServices {
  readonly #parts: ExtensionServicesParts;
  #defined = new Set<string>();

  constructor(parts: ExtensionServicesParts) {
    this.#parts = parts;
  }

  /** Has them run as their manifests and the configuration say. One that can not be run says why, and keeps no other from running. */
  async apply(supervisor: Supervisor, settings: ReadonlyMap<string, ExtensionSettings>): Promise<void> {
    const defined = new Set<string>();
    for (const file of await manifestsIn(this.#parts.directory)) {
      const fallback = extensionPrefix + file.slice(0, -'.yaml'.length).replaceAll(/[^\w-]/gu, '-');
      defined.add(await this.#applyOne(supervisor, file, fallback, settings));
    }
    for (const id of this.#defined) if (!defined.has(id)) await supervisor.withdraw(id);
    this.#defined = defined;
  }

  /** @returns its id. */
  async #applyOne(
    supervisor: Supervisor,
    file: string,
    fallback: string,
    settings: ReadonlyMap<string, ExtensionSettings>,
  ): Promise<string> {
    let id = fallback;
    try {
      const manifest = parseManifest(await readFile(join(this.#parts.directory, file), 'utf8'));
      id = extensionPrefix + manifest.name;
      if (manifest.beyond.length > 0) {
        await supervisor.withdraw(id);
        const what = manifest.beyond.join(', ');
        supervisor.claim(id).enter('Skipped', `there is no container runtime on this node, for ${what}`);
      } else await supervisor.define(await this.#definition(id, manifest, settings.get(manifest.name)));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(codeOf(error));
      await supervisor.withdraw(id);
      supervisor.claim(id).enter('Failed', `${file}: ${why}`);
    }
    return id;
  }

  async #definition(
    id: string,
    manifest: ExtensionManifest,
    settings: ExtensionSettings | undefined,
  ): Promise<ServiceDefinition> {
    const { name, argv, restart, depends, environmentFile } = manifest;
    const root = join(this.#parts.roots, name);
    const hasRoot = await exists(root);
    const fromFile = environmentFile === undefined ? '' : await readFile(environmentFile, 'utf8');
    const environment = {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ...manifest.environment,
      ...environmentOf(fromFile.split('\n')),
      ...environmentOf(settings?.environment ?? []),
    };
    const files = settings?.configFiles ?? [];
    const binds = [...manifest.binds, ...(await this.#filesOf(name, files))];
    for (const { target } of binds)
      if (!(await exists(join(hasRoot ? root : '/', target))))
        throw new TypeError(`there is no ${target} in it for what is to be mounted there`);
    const content = createHash('sha256').update(JSON.stringify(files)).digest('hex');
    const { confinement } = this.#parts;
    const seccomp = 'extension';
    const identity = { argv, environment, root: hasRoot, binds, content, confinement, seccomp };
    return {
      id,
      program: { argv, environment, identity, ...(hasRoot && { root }), binds, confinement, seccomp },
      restart: restart === 'always' ? 'forever' : restart === 'never' ? 'once' : 'untilSuccess',
      needs: depends.flatMap((each) => (each.kind === 'service' ? [each.name] : [])),
      conditions: depends.flatMap((each) => this.#conditionOf(each, settings) ?? []),
    };
  }

  async #filesOf(name: string, files: ExtensionSettings['configFiles']) {
    const directory = join(this.#parts.runDirectory, name);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return await Promise.all(
      files.map(async ({ content, mountPath }, index) => {
        const source = join(directory, String(index));
        await writeFileAtomic(source, content, { mode: 0o600 });
        return { source, target: mountPath, readOnly: true };
      }),
    );
  }

  #conditionOf(dependence: Dependence, settings: ExtensionSettings | undefined): Condition | undefined {
    const { isTimeReady, hasAddress } = this.#parts;
    if (dependence.kind === 'service') return undefined;
    if (dependence.kind === 'path') return { name: dependence.name, isMet: () => exists(dependence.name) };
    const conditions: Readonly<Record<'network' | 'time' | 'configuration', Condition>> = {
      network: { name: 'an address', isMet: async () => hasAddress() },
      time: { name: 'a clock that is right', isMet: async () => isTimeReady() },
      configuration: { name: 'its ExtensionServiceConfig', isMet: async () => settings !== undefined },
    };
    return conditions[dependence.kind];
  }
}

async function manifestsIn(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).filter((name) => name.endsWith('.yaml')).toSorted();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
