import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Changes } from './change.ts';
import { NewError } from './errors.ts';
import type { Name } from './name.ts';
import { withImport } from './with-import.ts';
import { rpcHandler, rpcMessages, rpcMethod, rpcTest } from './rpc-texts.ts';
import type { Service } from './service.ts';

const api = 'packages/contract/api';
const agent = 'packages/apps/agent';

/**
 * A method of the node API with one answer: in the proto with its role, in the client, in the agent with its line in the audit, and
 * a test that goes all the way. What is generated from the proto is not among the changes.
 */
export async function newRpc(changes: Changes, name: Name, serviceName: string): Promise<void> {
  const service = await serviceOf(changes, serviceName);
  await addToProto(changes, name, service);
  await addToClient(changes, name, service);
  await addToAgent(changes, name, service);
  changes.create(`${agent}/test/${name.kebab}.test.ts`, rpcTest(name, service));
}

async function serviceOf(changes: Changes, name: string): Promise<Service> {
  if (!/^[a-z]+$/u.test(name)) throw new NewError('ERR_NEW_NAME', `"${name}" is no service, such as machine`);
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Service`;
  const handlers = await holderOf(changes, `${agent}/src`, new RegExp(`\\): ${type}Handlers \\{$`, 'mu'));
  const nodeServer = await changes.read(`${api}/test/node-server.ts`);
  const option = new RegExp(`readonly (\\w+)\\?: Partial<${type}Handlers>`, 'u').exec(nodeServer)?.[1];
  if (handlers === undefined || option === undefined)
    throw new NewError('ERR_NEW_NAME', await reasonOf(changes, name, type));
  return { name, type, handlers, option };
}

/** Why a method has no place to go to. */
async function reasonOf(changes: Changes, name: string, type: string): Promise<string> {
  const files = await readdir(changes.path(`${api}/proto/nodecore/v1`));
  if (!files.includes(`${name}.proto`)) {
    const names = files.map((file) => file.replace(/\.proto$/u, '')).filter((file) => file !== 'options');
    return `the node API has no service ${name}; it has ${names.toSorted().join(', ')}`;
  }
  const parts = await holderOf(changes, `${agent}/src`, new RegExp(`${type}Handlers\\b`, 'u'));
  return `several features serve ${type}: add the method to the one that it belongs to, as ${parts} does`;
}

/** The path of the source below a folder that matches. */
async function holderOf(changes: Changes, folder: string, pattern: RegExp): Promise<string | undefined> {
  const paths = await readdir(changes.path(folder), { recursive: true });
  for (const path of paths.filter((each) => each.endsWith('.ts')).toSorted()) {
    const found = join(folder, path);
    if (pattern.test(await changes.read(found))) return found;
  }
  return undefined;
}

async function addToProto(changes: Changes, name: Name, service: Service): Promise<void> {
  const path = `${api}/proto/nodecore/v1/${service.name}.proto`;
  if (
    new RegExp(`\\b(?:rpc|message|enum) ${name.pascal}(?:Request|Response)?\\b`, 'u').test(
      await changes.read(path),
    )
  )
    throw new NewError('ERR_NEW_EXISTS', `${path} has ${name.pascal} already`);
  await changes.edit(path, (text) => {
    const end = endOf(text, `service ${service.type} {`);
    return end < 0 ? text : `${text.slice(0, end)}\n${rpcMethod(name)}${text.slice(end)}${rpcMessages(name)}`;
  });
}

async function addToClient(
  changes: Changes,
  { camel, pascal, words }: Name,
  service: Service,
): Promise<void> {
  const isKvstore = service.name === 'kvstore';
  const path = `${api}/src/client/${isKvstore ? 'kvstore' : 'connect'}.ts`;
  const call = `
  /** Sets the ${words} of the node. */
  ${camel}(request: ${pascal}RequestInit, options: CallOptions = {}): Promise<${pascal}Response> {
    return unary(this.#channel, ${service.type}.${camel}, request, options);
  }
`;
  await changes.edit(path, (text) => {
    const end = endOf(text, `export class ${isKvstore ? 'KvstoreClient' : 'Client'} {`);
    return end < 0 ? text : text.slice(0, end) + call + text.slice(end);
  });
  await changes.edit(path, (text) =>
    text.replace("} from '../../gen/", `  type ${pascal}RequestInit,\n  type ${pascal}Response,\n$&`),
  );
}

async function addToAgent(changes: Changes, name: Name, service: Service): Promise<void> {
  const { camel, kebab } = name;
  const folder = service.handlers.replace(/[^/]+$/u, '');
  changes.create(`${folder}${kebab}.ts`, rpcHandler(name, service));
  await changes.edit(service.handlers, (text) => {
    const begin = text.search(new RegExp(`\\): ${service.type}Handlers \\{$`, 'mu'));
    const end = text.indexOf('\n  };\n', begin) + 1;
    return end === 0 ? text : `${text.slice(0, end)}    ${camel}: ${camel}(options),\n${text.slice(end)}`;
  });
  await changes.edit(service.handlers, (text) => withImport(text, camel, `./${kebab}.ts`));
  await changes.edit(`${agent}/src/server/audit.ts`, (text) =>
    text.replace('export type AuditedAction =\n', `$&  | { readonly action: '${kebab}' }\n`),
  );
}

/** Where the brace closes that a line at the margin opens; -1 without such a line. */
function endOf(text: string, opening: string): number {
  const begin = text.search(new RegExp(`^${opening.replace('{', '(?:implements [^{]+)?\\{')}`, 'mu'));
  const end = begin < 0 ? -1 : text.indexOf('\n}\n', begin);
  return end < 0 ? -1 : end + 1;
}
