/** Bytes of a unit, by its name in small letters. */
const units: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** Bytes of a size such as `2.0GiB` or `768MB`; a bare number is MiB. Undefined for anything else. */
export function parseBytes(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = match?.[2] === '' ? 2 ** 20 : units[match?.[2]?.toLowerCase() ?? ''];
  const bytes = Math.round(Number(match?.[1]) * (unit ?? Number.NaN));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Processors of a share such as `2.0` or `1/2`, as it is; undefined for anything else, and more than nine decimals. */
export function parseShare(text: string): number | undefined {
  const match = /^(\d+(?:\.\d{1,9})?)(?:\/([1-9]\d*))?$/.exec(text.trim());
  if (match === null) return undefined;
  const share = Number(match[1]) / Number(match[2] ?? 1);
  return share >= 0.01 && share <= 255 ? share : undefined;
}

/** Processors of a share such as `2.0` or `1/2`: whole ones, at least one, halves to the even side. Undefined for anything else. */
export function parseProcessors(text: string): number | undefined {
  const match = /^(\d+(?:\.\d{1,9})?)(?:\/([1-9]\d*))?$/.exec(text.trim());
  if (match === null) return undefined;
  const share = Number(match[1]) / Number(match[2] ?? 1);
  const below = Math.floor(share);
  const rest = share - below;
  const rounded = rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
  return share > 0 && rounded <= 255 ? Math.max(rounded, 1) : undefined;
}
