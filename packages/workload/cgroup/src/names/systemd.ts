import type { CgroupName, NameResolver } from './resolver.ts';

const unit = /\.(service|scope|slice|socket|mount|swap)$/;

/** Units by the paths that systemd gives them; escapes (`\x2d`) are undone. */
export const systemdUnits: NameResolver = {
  name: 'systemd',
  resolve: (path): CgroupName | undefined => {
    const id = path.slice(path.lastIndexOf('/') + 1);
    const type = unit.exec(id)?.[1];
    if (type === undefined) return undefined;
    const kind = type === 'slice' || type === 'scope' ? type : 'unit';
    return { kind, name: unescapeUnit(id), id };
  },
};

/** `dev-disk-by\x2dlabel-data.swap` becomes `dev-disk-by-label-data.swap` (systemd-escape(1)). */
export function unescapeUnit(name: string): string {
  const bytes: number[] = [];
  for (let at = 0; at < name.length;) {
    const hex = /^\\x([0-9a-f]{2})/.exec(name.slice(at, at + 4))?.[1];
    if (hex === undefined) {
      const character = String.fromCodePoint(name.codePointAt(at) ?? 0);
      bytes.push(...Buffer.from(character));
      at += character.length;
    } else {
      bytes.push(Number.parseInt(hex, 16));
      at += 4;
    }
  }
  return Buffer.from(bytes).toString('utf8');
}
