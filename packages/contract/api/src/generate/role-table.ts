import type protobuf from 'protobufjs';

const begin =
  '<!-- Written by `npm run generate` from the options of the methods in packages/contract/api/proto. -->\n';
const end = '<!-- End of what is written. -->';

/** Which methods each role may call: the part of a page between two comments, made again. */
export function withRoleTable(page: string, services: readonly protobuf.Service[]): string {
  const [before, rest] = page.split(begin);
  const after = rest?.slice(rest.indexOf(end));
  if (before === undefined || after === undefined) throw new Error('the page has no place for the roles');
  return `${before}${begin}\n${table(services)}\n${after}`;
}

function table(services: readonly protobuf.Service[]): string {
  const all = services.flatMap((service) =>
    service.methodsArray.map((method) => ({
      service: service.name,
      method: method.name,
      ...requirementOf(method),
    })),
  );
  type Method = (typeof all)[number];
  const list = (isIn: (method: Method) => boolean): string =>
    services
      .map(({ name }) => {
        const names = all.filter((each) => each.service === name && isIn(each)).map(({ method }) => method);
        return names.length === 0 ? '' : `${name}: ${names.join(', ')}`;
      })
      .filter((line) => line !== '')
      .join('; ');
  const declared = [...new Set(all.flatMap(({ roles }) => roles))]
    .filter((role) => role !== 'os:admin')
    .toSorted();
  const rows = declared.map((role) => {
    const isIn = ({ roles }: Method): boolean =>
      roles.includes(role) || (role === 'os:operator' && roles.includes('os:reader'));
    return `| \`${role}\` | ${list(isIn)} |`;
  });
  return [
    '| Role | Methods |',
    '|---|---|',
    '| `os:admin` | all |',
    ...rows,
    `| anybody, before the first configuration | ${list(({ maintenance }) => maintenance)} |`,
    '',
  ].join('\n');
}

function requirementOf(method: protobuf.Method): { readonly roles: string[]; readonly maintenance: boolean } {
  const options: { readonly [name: string]: unknown }[] = method.parsedOptions ?? [];
  const roles = options.flatMap((option) => option['(roles)'] ?? []).map(String);
  return { roles, maintenance: options.some((option) => option['(maintenance)'] === true) };
}
