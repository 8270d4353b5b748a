import { ApiError, connect } from '@nodecore/api';
import type * as pki from '@nodecore/pki';
import { program, root, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { PseudoTerminal } from '../../osctl/test/dashboard-terminal.ts';
import { administeredAgent, ca } from './administered-agent.ts';
import type { AgentProcess } from './agent-process.ts';

/** Calls one behind the other, of so many callers, until one fails; what they failed with. */
function load(endpoint: string, shown: pki.Identity, callers: number): Promise<readonly unknown[]> {
  const calling = Array.from({ length: callers }, async () => {
    const { crt, key } = shown;
    await using client = connect({ endpoint, ca: ca.crt, crt, key });
    try {
      for (;;) await client.version();
    } catch (error) {
      return error;
    }
  });
  return Promise.all(calling);
}

function onTerminals(t: ExecutionContext, env: Readonly<Record<string, string>>) {
  const start = (...args: readonly string[]): PseudoTerminal => PseudoTerminal.start(t, args, env);
  return {
    dashboard: start('dashboard', '-d', '200ms'),
    watch: start('get', 'machineconfigs', '-w'),
    logs: start('logs', 'agent', '-f'),
  };
}

/** What it says of itself when it listens. */
function listening({ pid }: AgentProcess): string {
  return `"pid":${pid}`;
}

testWith(
  root,
  program('script'),
  program('stty'),
)(
  'an agent is killed under load, and ends in order under load: whoever looks at it on a terminal goes on with the next one',
  async (t) => {
    const { agent: first, endpoint, shown, env, again } = await administeredAgent(t);
    const { dashboard, ...lines } = onTerminals(t, env);
    t.timeout(200_000);
    t.teardown(() => {
      if (!t.passed)
        for (const terminal of [dashboard, ...Object.values(lines)]) t.log(terminal.output.slice(-2000));
    });
    await dashboard.shows(`[${endpoint}]`, 'Stage');
    await lines.watch.prints('MachineConfig');
    await lines.logs.prints(listening(first));

    let agent: AgentProcess = first;
    for (const how of ['kill', 'stop'] as const) {
      const failures = load(endpoint, shown, 8);
      await agent[how]();
      for (const error of await failures) t.true(error instanceof ApiError, String(error));
      await dashboard.shows(`[!${endpoint}]`);
      for (const terminal of Object.values(lines))
        await terminal.prints('nothing listens on port', 'connecting again');
      agent = await again();
      await dashboard.shows(`[${endpoint}]`, 'Stage');
      await lines.logs.prints(listening(agent));
    }
    dashboard.type('q');
    t.deepEqual(await dashboard.end(), { code: 0, isRestored: true });
    for (const [name, terminal] of Object.entries(lines)) {
      await terminal.kill('SIGINT');
      t.deepEqual(await terminal.end(), { code: 130, isRestored: true }, name);
      t.notRegex(terminal.output, /^\s+at /mu, `${name} prints no stack`);
    }
  },
);
