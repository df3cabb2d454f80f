import { type Account, isPlan, type Organisation, planOf } from '../engine/organisation.js';

export type GivenAccount = Partial<
  Pick<Account, 'id' | 'name' | 'plan' | 'group' | 'credits' | 'browser_sessions' | 'auto_top_up'>
>;

export function furnishAccount({ account, key }: Organisation, given: GivenAccount): void {
  const { plan, credits, browser_sessions, auto_top_up, ...rest } = given;
  for (const [name, value] of Object.entries(rest))
    if (value !== undefined) Object.assign(account, { [name]: value });
  if (auto_top_up !== undefined) account.auto_top_up = { ...auto_top_up };
  const keepsPlan = key.startsWith('free-');
  if (plan !== undefined && isPlan(plan) && !keepsPlan) account.plan = plan;
  const included = planOf(account.plan).browser_sessions;
  account.browser_sessions = keepsPlan ? included : (browser_sessions ?? included);
  if (credits !== undefined && !key.startsWith('exhausted-')) account.credits = credits;
}
