import type { NetworkRule } from '../types.js';

/** Everything that a network rule can do. */
export const NETWORK_VERBS = [
  'delay',
  'hold',
  'drop',
  'duplicate',
  'reorder',
  'same-instant',
  'fail',
  'quota',
  'garble',
  'truncate',
  'at-once',
  'redeliver',
  'repeat',
  'shuffle',
  'reissue',
  'reshape',
] as const satisfies readonly NetworkRule['network'][];
