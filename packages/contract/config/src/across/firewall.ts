import { type Documents } from './documents.ts';

/** TCP port of the node's API. */
const apiPort = 50_000;

/** Warns of a firewall that lets nobody reach the node's API. */
export function checkFirewall(documents: Documents): void {
  const action = documents.one('NetworkDefaultActionConfig');
  if (action?.value.ingress !== 'block') return;
  const isOpen = documents
    .of('NetworkRuleConfig')
    .some(
      ({ value: { portSelector, ingress } }) =>
        ingress.length > 0 &&
        portSelector.protocol === 'tcp' &&
        portSelector.ports.some(({ first, last }) => first <= apiPort && apiPort <= last),
    );
  if (!isOpen)
    action.at
      .at('ingress')
      .warning(
        'firewall.locked_out',
        `no rule opens TCP port ${apiPort}: nobody reaches the API of the node`,
      );
}
