import type { KeptMachine } from '../keeper/messages.ts';
import type { ClusterPlan } from '../plan.ts';
import type { RedfishMachines } from './server.ts';

/** How long a guest may take to switch itself off. */
const graceMs = 60_000;

/** Power as a keeper has it. */
export type Switches = {
  readonly reflect: () => readonly KeptMachine[];
  readonly start: (names: readonly string[], tell: (line: string) => void) => Promise<void>;
  readonly stop: (names: readonly string[], graceMs: number) => Promise<void>;
  readonly reboot: (names: readonly string[], fromNetwork: boolean) => Promise<void>;
};

/** The machines of a keeper, as those have them who switch their power. @param by whose words they are */
export function machinesOf(
  { nodes, request }: ClusterPlan,
  keeper: Switches,
  log: (line: string) => void,
  by: 'Redfish' | 'IPMI' = 'Redfish',
): RedfishMachines {
  return {
    nodes,
    reflect: () => keeper.reflect(),
    hasNetworkImage: 'pxe' in request.image,
    reset: async (name, type, fromNetwork) => {
      log(`${name}: ${type} by ${by}`);
      if (type === 'ForceOff') return await keeper.stop([name], 0);
      if (type === 'GracefulShutdown') {
        // The button is pressed; what the guest makes of it shows in its state.
        keeper.stop([name], graceMs).catch((error: unknown) => log(`${name}: ${String(error)}`));
        return;
      }
      if (type === 'ForceRestart' || type === 'PowerCycle' || fromNetwork)
        return await keeper.reboot([name], fromNetwork);
      await keeper.start([name], () => {});
    },
  };
}
