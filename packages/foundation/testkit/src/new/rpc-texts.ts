import type { Name } from './name.ts';
import type { Service } from './service.ts';

/** The method in its service, for operators. */
export function rpcMethod({ pascal, words }: Name): string {
  return `  // Sets the ${words} of the node.
  rpc ${pascal}(${pascal}Request) returns (${pascal}Response) {
    option (roles) = "os:operator";
  }
`;
}

/** Its request and its answer. */
export function rpcMessages({ pascal, words }: Name): string {
  return `
message ${pascal}Request {
  // Say what would be done, change nothing.
  bool dry_run = 1;
}

message ${pascal}Response {
  // The ${words} from now on, for people.
  string message = 1;
}
`;
}

/** The agent's side. */
export function rpcHandler({ camel, kebab, pascal, words }: Name, { name, type }: Service): string {
  return `import type { ${pascal}Request, ${pascal}ResponseInit, ${type}Handlers } from '@nodecore/api/${name}';

import { audited } from '../server/audit.ts';
import { type CallContext, type HandlerOptions, unary } from '../server/handlers.ts';

/** Sets the ${words} of the node; who asked, and what came of it, is in the log. */
export function ${camel}(options: HandlerOptions): ${type}Handlers['${camel}'] {
  return unary(options, (request: ${pascal}Request, context: CallContext) => {
    const note = audited(options.log, context, { action: '${kebab}' });
    return note.of(set(request));
  });
}

async function set({ dryRun }: ${pascal}Request): Promise<${pascal}ResponseInit> {
  return { message: dryRun ? 'nothing would be done' : 'nothing was done' };
}
`;
}

/** From the client to the handler and back, with the role and the line in the audit. */
export function rpcTest({ camel, kebab, pascal, words }: Name, service: Service): string {
  const client = service.name === 'kvstore' ? 'client.kvstore' : 'client';
  const folder = service.handlers.replace(/^packages\/apps\/agent\//u, '../').replace(/[^/]+$/u, '');
  return `import { connect, requirementOf } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import test from 'ava';
import { pino } from 'pino';

import { startNodeServer } from '../../../contract/api/test/node-server.ts';
import { ${camel} } from '${folder}${kebab}.ts';
import { callerWith } from './callers.ts';

test('the ${words} is set for operators, and who asked is in the log', async (t) => {
  t.deepEqual(requirementOf('/nodecore.v1.${service.type}/${pascal}').roles, ['os:operator']);
  const ca = await pki.createCA('test');
  const identity = await pki.issueServer(ca, { names: ['127.0.0.1'] });
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:operator'] });
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const handler = ${camel}({
    log: pino({}, { write }),
    callerOf: () => callerWith('os:operator'),
    stopping: new AbortController().signal,
  });
  const ${service.option} = { ${camel}: handler };
  const { endpoint } = await startNodeServer(t, { identity, ca: ca.crt, ${service.option} });
  await using client = connect({ endpoint, ca: ca.crt, crt, key });
  t.deepEqual(await ${client}.${camel}({ dryRun: true }), { message: 'nothing would be done' });
  t.like(lines.at(-1), { action: '${kebab}', outcome: 'done', name: 'somebody' });
});
`;
}
