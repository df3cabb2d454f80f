import { type Account, type Organisation, PLANS } from '../engine/organisation.js';

export type GivenAccount = Partial<
  Pick<Account, 'id' | 'name' | 'plan' | 'group' | 'credits' | 'browser_sessions' | 'auto_top_up'>
>;

export function furnishAccount({ account, key }: Organisation, given: GivenAccount): void {
  const { plan, credits, auto_top_up, ...rest } = given;
  for (const [name, value] of Object.entries(rest))
    if (value !== undefined) Object.assign(account, { [name]: value });
  if (auto_top_up !== undefined) account.auto_top_up = { ...auto_top_up };
  if (plan !== undefined && Object.hasOwn(PLANS, plan) && !key.startsWith('free-')) account.plan = plan;
  if (credits !== undefined && !key.startsWith('exhausted-')) account.credits = credits;
}
