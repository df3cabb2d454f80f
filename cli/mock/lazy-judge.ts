import type { JudgeExchanges } from '../../mock/options/mock-options.js';

/**
 * The rules about clients, loaded when findings are asked for: the mock listens sooner without. Those that compare times are
 * left out where the clients do not live in the mock's time.
 */
export function lazyJudge(sameTime: boolean): JudgeExchanges & { ready: () => Promise<void> } {
  let judge: JudgeExchanges | undefined;
  let loading: Promise<void> | undefined;
  return Object.assign(judgeNow, { ready: () => (loading ??= load()) });

  function judgeNow(exchanges: Parameters<JudgeExchanges>[0]): ReturnType<JudgeExchanges> {
    if (!judge) throw new Error('findings were asked for before the rules were loaded');
    return judge(exchanges);
  }

  async function load(): Promise<void> {
    const { judgeExchanges } = await import('../../conformance/rules/judge.js');
    const { clientRules, untimedRules } = await import('../../conformance/rules/client-rules.js');
    const rules = sameTime ? clientRules : untimedRules;
    judge = (exchanges) => judgeExchanges(rules, exchanges).findings();
  }
}
