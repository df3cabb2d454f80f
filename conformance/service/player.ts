import type { Player } from './player-types.js';
import type { Probing } from './probe.js';

export function createPlayer(_core: Omit<Probing, 'player'>): Player {
  return {} as Player;
}
