import { isAbsolute, normalize } from 'node:path';

import type { ContainerMount } from './parts.ts';

const types = ['bind', 'volume', 'tmpfs'] as const;
/** What is the node's own, or the kernel's: something over it would keep the node from working. */
const taken = ['/proc', '/sys', '/dev', '/run', '/system', '/usr', '/etc', '/var'];
/** Of those, below these something may be mounted. */
const open = ['/var/', '/run/'];

/** Mounts such as `type=bind,source=/srv,target=/data,readonly`. */
export function readMounts(texts: readonly string[], problems: string[]): readonly ContainerMount[] {
  const mounts: ContainerMount[] = [];
  for (const text of texts) {
    const found: string[] = [];
    const mount = readMount(text, found);
    if (mount !== undefined && mounts.some(({ target }) => target === mount.target))
      found.push(`${mount.target} is mounted twice`);
    problems.push(...found.map((why) => `--mount ${text}: ${why}`));
    if (mount !== undefined && found.length === 0) mounts.push(mount);
  }
  return mounts;
}

function readMount(text: string, found: string[]): ContainerMount | undefined {
  const fields = new Map<string, string>();
  let isReadOnly = false;
  for (const part of text.split(',')) {
    const [name = '', ...rest] = part.split('=');
    const value = rest.join('=');
    if (part === 'readonly' || part === 'readonly=true') isReadOnly = true;
    else if (!['type', 'source', 'src', 'target', 'dst', 'destination'].includes(name) || value === '')
      found.push(`${JSON.stringify(part)} is none of type=, source=, target=, readonly`);
    else fields.set(aliases[name] ?? name, value);
  }
  const type = types.find((one) => one === (fields.get('type') ?? 'volume'));
  if (type === undefined) found.push(`type ${fields.get('type')} is none of ${types.join(', ')}`);
  const source = fields.get('source');
  const target = targetOf(fields.get('target') ?? '', found);
  if (type === 'bind' && (source === undefined || !isAbsolute(source)))
    found.push('source must be an absolute path');
  if (type === 'volume' && !/^[a-z0-9][a-z0-9-]{0,62}$/.test(source ?? ''))
    found.push('source must be a name: small letters, digits and dashes');
  if (type === 'tmpfs' && source !== undefined) found.push('tmpfs has no source');
  if (type === undefined || target === undefined || found.length > 0) return undefined;
  return {
    type,
    ...(source !== undefined && { source: type === 'bind' ? normalize(source) : source }),
    target,
    ...(isReadOnly && { isReadOnly }),
  };
}

const aliases: Readonly<Record<string, string>> = { src: 'source', dst: 'target', destination: 'target' };

function targetOf(text: string, found: string[]): string | undefined {
  const target = normalize(text).replace(/(?<=.)\/$/, '');
  if (!isAbsolute(text)) found.push('target must be an absolute path');
  else if (target === '/') found.push('target / is the root of the node');
  else {
    const own = taken.find((place) => target === place || target.startsWith(`${place}/`));
    if (own === undefined || open.some((place) => target.startsWith(place))) return target;
    found.push(`target ${target} is in ${own}, which is the node's own`);
  }
  return undefined;
}
