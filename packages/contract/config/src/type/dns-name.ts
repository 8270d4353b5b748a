import { text } from '../field/text.ts';
import { type Type } from '../field/type.ts';

/** A label of DNS in small letters (RFC 1123), as the orchestrator names its objects. */
export const dnsLabel: Type<string> = text({
  longest: 63,
  pattern: {
    regex: /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/u,
    code: 'name.characters',
    message: 'a name consists of small letters, digits and hyphens, a letter or digit at both ends',
  },
});

/** Labels of DNS with dots between them. */
export const dnsDomain: Type<string> = text({
  longest: 253,
  pattern: {
    regex: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/u,
    code: 'domain.invalid',
    message: 'must be a domain, such as cluster.local',
  },
});
