import { isPlan, type Organisation, PLANS, readPlan } from '../engine/organisation.js';
import { ApiError } from '../exchange/errors.js';
import type { Handlers } from '../pipeline/context.js';
import { createEmptyBody } from '../pipeline/responses.js';

/** Telemetry events with further names are counted under this name. */
const OTHERS = '(others)';
/** Longest name of a telemetry event that is kept, in characters. */
const LONGEST_NAME = 128;

/** Sections "Organisation, credits, plan" and "Telemetry and jobs". */
export const organisationHandlers = {
  inviteUser({ organisation, query: { email }, note }) {
    const { records } = organisation;
    const isAnyText = organisation.dialect['org.invite-address'] === 'any-text';
    if (!isAnyText && !/^[^\s@]+@[^\s@]+$/.test(email)) {
      throw new ApiError(400, `Expected an email address, got "${email.slice(0, 80)}".`);
    }
    const count = (records.invites.get(email)?.count ?? 0) + 1;
    const link = `${organisation.setup.getOrigin()}/invite/${organisation.random.uuid()}`;
    records.invites.set(email, { email, count, link });
    // The response has no field for the link.
    note(`invite link for ${email}: ${link}`);
    return { r: { [email]: count } };
  },

  getOrganisation({ organisation }) {
    const { id, name, plan, created_at } = organisation.account;
    return {
      r: { id, name, plan, members: listMembers(organisation), created_at: Math.floor(created_at / 1000) },
    };
  },

  updateOrganisation({ organisation, query: { name } }) {
    if (name.trim() === '') throw new ApiError(400, 'The name of an organisation cannot be empty.');
    organisation.account.name = name;
    return createEmptyBody(organisation);
  },

  getUsage({ organisation }) {
    const { credits, browser_sessions, plan } = organisation.account;
    return { r: { credits, browser_sessions, plan } };
  },

  getBillingPortal: ({ organisation }) => ({ r: formatPortalUrl(organisation) }),

  topUp({ organisation, query: { amount } }) {
    const { account } = organisation;
    if (amount < 1) throw new ApiError(400, `Expected an amount of 1 credit or more, got ${amount}.`);
    const credits = account.credits + amount;
    if (!Number.isSafeInteger(credits))
      throw new ApiError(400, `${amount} credits are more than a balance can hold.`);
    account.credits = credits;
    return {
      r: organisation.dialect['billing.top-up-answer'] === 'url' ? formatPortalUrl(organisation) : true,
    };
  },

  getAutoTopUp: ({ organisation }) => ({ r: { ...organisation.account.auto_top_up } }),

  setAutoTopUp({ organisation, query: { active, amount, threshold } }) {
    for (const [name, value] of Object.entries({ amount, threshold })) {
      if (value < 0 || value > MOST_CREDITS) {
        throw new ApiError(400, `Expected ${name} to be from 0 to ${MOST_CREDITS}, got ${value}.`);
      }
    }
    organisation.account.auto_top_up = { active, amount, threshold };
    // A balance that is already below the threshold is filled now: without credits, no task could trigger the
    // top-up.
    organisation.spend(0);
    return { r: { active, amount, threshold } };
  },

  setPlan({ organisation, query: { plan, group } }) {
    const { account, dialect } = organisation;
    if (!isPlan(plan) && dialect['billing.plan-names'] !== 'any-text') {
      const plans = Object.keys(PLANS).join(', ');
      throw new ApiError(400, `There is no plan "${plan.slice(0, 80)}": choose one of ${plans}.`);
    }
    if (plan !== account.plan) account.browser_sessions = readPlan(plan).browser_sessions;
    account.plan = plan;
    account.group = group;
    if (dialect['record.plan'] === 'url') return { r: formatPortalUrl(organisation) };
    return { r: { plan, group, url: plan === 'free' ? null : formatPortalUrl(organisation) } };
  },

  /** Events are counted by name and not stored. */
  sendTelemetry({ organisation, body }) {
    const { telemetry } = organisation.records;
    for (const { event } of body.events) {
      const name = event.slice(0, LONGEST_NAME);
      // One record is reserved for `OTHERS`: telemetry is never refused.
      const known = telemetry.has(name) || telemetry.size < telemetry.limit - 1;
      const key = known ? name : OTHERS;
      telemetry.set(key, (telemetry.get(key) ?? 0) + 1);
    }
    return createEmptyBody(organisation);
  },
} satisfies Partial<Handlers>;

function listMembers({ records }: Organisation): { email: string; role: 'owner' | 'invited' }[] {
  const invited = records.invites.list().map(({ email }) => ({ email, role: 'invited' as const }));
  return [{ email: 'owner@taskdouble.invalid', role: 'owner' }, ...invited];
}

const MOST_CREDITS = 1_000_000_000;

function formatPortalUrl(organisation: Organisation): string {
  const { account } = organisation;
  return `${organisation.setup.getOrigin()}/billing/${account.id}`;
}
