import { isPlan, type Organisation, PLANS, planOf } from '../engine/organisation.js';
import { ApiError } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';

type BillingOperations =
  | 'getUsage'
  | 'getBillingPortal'
  | 'topUp'
  | 'getAutoTopUp'
  | 'setAutoTopUp'
  | 'setPlan';

/** Section "Organisation, credits, plan": what it has and what it pays. */
export const billingHandlers: Pick<Handlers, BillingOperations> = {
  getUsage({ organisation }) {
    const { credits, browser_sessions, plan } = organisation.account;
    return { r: { credits, browser_sessions, plan } };
  },

  getBillingPortal({ organisation }) {
    return { r: portalOf(organisation) };
  },

  topUp({ organisation, query: { amount } }) {
    const { account, world } = organisation;
    if (amount < 1) throw new ApiError(400, `Expected an amount of 1 credit or more, got ${amount}.`);
    const credits = account.credits + amount;
    if (!Number.isSafeInteger(credits))
      throw new ApiError(400, `${amount} credits are more than a balance can hold.`);
    account.credits = credits;
    return { r: world.setup.dialect['billing.top-up-answer'] === 'url' ? portalOf(organisation) : true };
  },

  getAutoTopUp({ organisation }) {
    return { r: { ...organisation.account.auto_top_up } };
  },

  setAutoTopUp({ organisation, query: { active, amount, threshold } }) {
    for (const [name, value] of Object.entries({ amount, threshold })) {
      if (value < 0 || value > MOST_CREDITS) {
        throw new ApiError(400, `Expected ${name} to be from 0 to ${MOST_CREDITS}, got ${value}.`);
      }
    }
    organisation.account.auto_top_up = { active, amount, threshold };
    // A balance that is below the threshold already is filled now: without credits no task could ever do it.
    organisation.spend(0);
    return { r: { active, amount, threshold } };
  },

  setPlan({ organisation, query: { plan, group } }) {
    const { account, world } = organisation;
    const { dialect } = world.setup;
    if (!isPlan(plan) && dialect['billing.plan-names'] !== 'any-text') {
      throw new ApiError(
        400,
        `There is no plan "${plan.slice(0, 80)}": choose one of ${Object.keys(PLANS).join(', ')}.`,
      );
    }
    if (plan !== account.plan) account.browser_sessions = planOf(plan).browser_sessions;
    account.plan = plan;
    account.group = group;
    if (dialect['record.plan'] === 'url') return { r: portalOf(organisation) };
    return { r: { plan, group, url: plan === 'free' ? null : portalOf(organisation) } };
  },
};

/** Most credits that one automatic top-up may buy. */
const MOST_CREDITS = 1_000_000_000;

function portalOf({ account, world }: Organisation): string {
  return `${world.setup.origin()}/billing/${account.id}`;
}
