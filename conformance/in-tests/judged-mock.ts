import { createMock as create } from '../../mock/create.js';
import type { CreateMockOptions, Mock } from '../../mock/interface.js';
import { clientRules, untimedRules } from '../rules/client-rules.js';
import { judgeBy } from '../rules/judging.js';

/**
 * A mock of the service, in process: `fetch` needs no port, `listen` opens one. Its `findings()` say what the client did
 * against the rules; with a clock that does not follow the client's, rules that compare times are left out.
 */
export function createMock(options: CreateMockOptions = {}): Mock {
  const sameTime = (options.clock ?? 'real') === 'real' && (options.speed ?? 1) >= 1;
  const rules = sameTime ? clientRules : untimedRules;
  return create({ judge: (exchanges) => judgeBy(rules, exchanges).findings(), ...options });
}
