import { Store } from '@nodecore/state';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { pino } from 'pino';

import { EventLog } from '../src/events/event-log.ts';
import { eventLog } from '../src/events/feature.ts';
import { definitions, features } from '../src/features.ts';
import { node, type NodeContext } from '../src/node.ts';
import { hostDirectory } from '../src/persistence/feature.ts';
import { Catalog } from '../src/resources/catalog.ts';
import { catalog } from '../src/resources/feature.ts';
import { imagePaths } from '../src/image/paths.ts';
import { Supervisor } from '../src/supervisor/supervisor.ts';

const refuse = (): never => {
  throw new TypeError('the agent is not started');
};

/** Every feature of an agent on a node OS, made and not started: nothing of this machine is touched. */
export function wholeAgent(): Supervisor {
  const [log, clock] = [pino({ level: 'silent' }), new FakeClock()];
  const store = new Store({ clock });
  const listen = { host: '127.0.0.1', port: 0 };
  const context: NodeContext = {
    options: { log, listen, unmountOnExit: false, image: imagePaths },
    log,
    clock,
    store,
    runDirectory: '/nonexistent/run',
    address: () => listen,
    dependencies: refuse,
    controllerCounts: refuse,
    activate: refuse,
    halt: refuse,
    end: refuse,
  };
  const given = [
    [node, context],
    [hostDirectory, undefined],
    [eventLog, new EventLog({ clock, bootId: 'boot' })],
    [catalog, new Catalog(definitions)],
  ] as const;
  return new Supervisor(features, { log, clock, store, given });
}
