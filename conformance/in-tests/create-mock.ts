import { Mock } from '../../mock/mock.js';
import { checkOptions } from '../../mock/options/check-options.js';
import type { MockOptions } from '../../mock/options/mock-options.js';
import { clientRules, untimedRules } from '../rules/client-rules.js';
import { judgeExchanges } from '../rules/judge.js';

/**
 * A mock of the service, in process: `fetch` needs no port, `listen` opens one. Its `findings()` say what the client did
 * against the rules. Rules that compare times are left out where the mock's clock is not the client's: it is with the
 * clock `real`, and where every request was made in `mock.time.run`.
 */
export function createMock(options: MockOptions = {}): Mock {
  // Before they are looked into.
  checkOptions(options);
  const sameTime = (options.clock ?? 'real') === 'real' && (options.speed ?? 1) >= 1;
  const mock: Mock = new Mock({
    judge: (exchanges) => {
      const rules = sameTime || mock.time.isClients ? clientRules : untimedRules;
      return judgeExchanges(rules, exchanges).findings();
    },
    ...options,
  });
  return mock;
}
