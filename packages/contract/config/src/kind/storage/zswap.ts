import { document } from '../../document.ts';
import { atLeastOne } from '../../field/rule.ts';
import { boolean, integer } from '../../field/scalars.ts';
import { optional } from '../../field/type.ts';

/** `ZswapConfig`: pages are compressed in memory before they are swapped out. */
export const zswap = document(
  'ZswapConfig',
  'pages are compressed in memory before they are swapped out',
  () => ({
    takesEffect: 'live',
    container: 'ignored',
    fields: {
      maxPoolPercent: optional('share of the memory that compressed pages may take', integer(0, 100)),
      shrinkerEnabled: optional('pages that nobody asks for are moved on to the swap volume', boolean),
    },
    rules: [atLeastOne('maxPoolPercent', 'shrinkerEnabled')],
    example: 'maxPoolPercent: 25\nshrinkerEnabled: true\n',
  }),
);
