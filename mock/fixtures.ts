import { type Organisation, PLANS, type PlanName } from './engine/organisation.js';

/** What every new organisation of a mock starts with. */
export interface Fixtures {
  organisation?: { name?: string; plan?: PlanName; credits?: number; browser_sessions?: number };
}

/** Furnishes a new organisation. Keys with a meaning keep theirs: `exhausted-*` has no credits, `free-*` is on the free plan. */
export function furnish(organisation: Organisation, fixtures: Fixtures): void {
  const { account, key } = organisation;
  const { name, plan, credits, browser_sessions } = fixtures.organisation ?? {};
  if (name !== undefined) account.name = name;
  if (plan !== undefined && plan in PLANS && !key.startsWith('free-')) account.plan = plan;
  if (credits !== undefined && !key.startsWith('exhausted-')) account.credits = credits;
  if (browser_sessions !== undefined) account.browser_sessions = browser_sessions;
}
