import { kindOf, type Documents } from './documents.ts';

/** Reports names that two documents claim in one name space: two links of one name, one kernel module in two spellings. */
export function checkNames({ all }: Documents): void {
  const owners = new Map<string, string>();
  for (const document of all) {
    const { options, claims } = kindOf(document) ?? {};
    if (options?.clash === undefined || claims === undefined) continue;
    for (const { name, at } of claims(document.value)) {
      const key = `${options.clash} ${name}`;
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, document.identity);
      else if (owner !== document.identity || at.length > 1)
        document.at.at(...at).problem('name.clash', `is already the name of ${owner}`);
    }
  }
}
