import { type ChangedDocument, changedDocuments, type Configuration } from '@nodecore/config';

const words: Readonly<Record<ChangedDocument['effect'], string>> = {
  reboot: 'when the machine boots again',
  service: 'when a service starts next',
  once: 'only before the node is installed',
  live: 'at once',
  none: 'nothing acts on',
};

/**
 * One sentence for each thing that changed documents and fields of the root take, the worst first: `At once: SysctlConfig,
 * machine.certSANs.`; nothing when none changed.
 */
export function effectWords(before: Configuration | undefined, after: Configuration): string {
  const changed = changedDocuments(before, after).flatMap(({ identity, effect, fields }) =>
    before === undefined || fields === undefined
      ? [{ name: identity, effect }]
      : fields.map(({ path, effect: own }) => ({ name: path, effect: own })),
  );
  const sentences = Object.entries(words).flatMap(([effect, when]) => {
    const names = changed.filter((each) => each.effect === effect).map(({ name }) => name);
    return names.length === 0
      ? []
      : [`${when.charAt(0).toUpperCase()}${when.slice(1)}: ${names.join(', ')}.`];
  });
  return sentences.map((sentence) => ` ${sentence}`).join('');
}
