import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';

import { type Need, program, root, testWith } from '@nodecore/testkit';

import { PseudoTerminal } from '../../osctl/test/dashboard-terminal.ts';
import { administeredAgent } from './administered-agent.ts';
import type { AgentProcess } from './agent-process.ts';

const kmsg = '/dev/kmsg';

const kernelLog: Need = {
  missing: () => {
    try {
      accessSync(kmsg, constants.R_OK | constants.W_OK);
      return undefined;
    } catch {
      return `no ${kmsg}`;
    }
  },
};

const away = 'connecting again';

/** What is printed of each, one a line. */
function printed({ output }: PseudoTerminal, pattern: RegExp): string[] {
  return Array.from(output.matchAll(pattern), ([, text = '']) => text);
}

testWith(
  root,
  program('script'),
  program('stty'),
  kernelLog,
)(
  'whoever follows events, the log of the kernel and processes goes on with the next agent: nothing is lost, and nothing comes twice',
  async (t) => {
    const { agent: first, env, again } = await administeredAgent(t);
    const start = (...args: readonly string[]): PseudoTerminal => PseudoTerminal.start(t, args, env);
    const events = start('events', '--tail', '-1', '-o', 'jsonpath={.id} {.event}');
    const dmesg = start('dmesg', '-f', '-o', 'jsonpath=#{.sequence} {.message}');
    const table = start('processes', '-w', '--interval', '1s');
    const processes = start('processes', '-w', '--interval', '1s', '-o', 'jsonpath={.pid}.');
    t.timeout(500_000); // a terminal has set one of its own
    const all = { events, dmesg, table, processes };
    t.teardown(() => {
      if (!t.passed) for (const [name, { output }] of Object.entries(all)) t.log(name, output.slice(-2000));
    });
    const mark = randomUUID();
    const said: string[] = [];
    const say = async (what: string): Promise<void> => {
      const text = `${mark} ${what}`;
      // Without the end of its line it is read when the next message comes: till then it could go on.
      await writeFile(kmsg, `<6>${text}\n`);
      said.push(text);
    };
    /** In this order on each of them. */
    const wanted: Record<keyof typeof all, string[]> = {
      events: [' sequence'],
      dmesg: [],
      table: ['CPU%'],
      processes: [`${first.pid}.`],
    };
    const asWanted = async (): Promise<void> => {
      for (const [name, terminal] of Object.entries(all))
        await terminal.prints(...wanted[name as keyof typeof all]);
    };
    await say('before');
    wanted.dmesg.push(`${mark} before`);
    await asWanted();

    let agent: AgentProcess = first;
    for (const how of ['kill', 'stop'] as const) {
      await agent[how]();
      for (const texts of Object.values(wanted)) texts.push(away);
      await asWanted();
      await say(`while it is away after ${how}`);
      agent = await again();
      await say(`after ${how}`);
      wanted.dmesg.push(`${mark} while it is away after ${how}`, `${mark} after ${how}`);
      wanted.events.push(' sequence');
      wanted.table.push('CPU%');
      wanted.processes.push(`${agent.pid}.`);
      await asWanted();
    }

    t.deepEqual(printed(dmesg, new RegExp(`^#\\d+ (${mark} .*?)\\r*$`, 'gmu')), said);
    const sequences = printed(dmesg, /^#(\d+) /gmu).map(Number);
    t.deepEqual(
      sequences,
      [...new Set(sequences)].toSorted((left, right) => left - right),
    );

    const kept = start('events', '--tail', '-1', '--follow=false', '-o', 'jsonpath={.id} {.event}');
    await kept.end();
    const ids = (terminal: PseudoTerminal): string[] => printed(terminal, /^([0-9a-f]{20}) /gmu);
    const last = ids(kept).at(-1);
    await events.prints(`${last}`);
    t.deepEqual(ids(events), [...new Set(ids(events))].toSorted(), 'none comes twice, and all are in order');
    t.deepEqual(
      ids(kept).filter((id) => !ids(events).includes(id)),
      [],
      'none is lost',
    );
    for (const [name, terminal] of Object.entries(all)) {
      await terminal.kill('SIGINT');
      t.deepEqual(await terminal.end(), { code: 130, isRestored: true }, name);
      t.notRegex(terminal.output, /^\s+at /mu, `${name} prints no stack`);
    }
  },
);
