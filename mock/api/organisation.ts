import type { Organisation } from '../engine/organisation.js';
import { ApiError } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';
import { emptyBody } from '../pipeline/responses.js';

/** Section "Organisation, credits, plan": who it is and who belongs to it. */
export const organisationHandlers: Pick<Handlers, 'inviteUser' | 'getOrganisation' | 'updateOrganisation'> = {
  inviteUser({ organisation, query: { email }, note }) {
    const { records, world } = organisation;
    const isAnyText = world.setup.dialect['org.invite-address'] === 'any-text';
    if (!isAnyText && !/^[^\s@]+@[^\s@]+$/.test(email)) {
      throw new ApiError(400, `Expected an email address, got "${email.slice(0, 80)}".`);
    }
    const count = (records.invites.get(email)?.count ?? 0) + 1;
    const link = `${world.setup.origin()}/invite/${world.setup.random.uuid()}`;
    records.invites.set(email, { email, count, link });
    // The answer has no place for the link.
    note(`invite link for ${email}: ${link}`);
    return { r: { [email]: count } };
  },

  getOrganisation({ organisation }) {
    const { id, name, plan, created_at } = organisation.account;
    return {
      r: { id, name, plan, members: members(organisation), created_at: Math.floor(created_at / 1000) },
    };
  },

  updateOrganisation({ organisation, query: { name } }) {
    if (name.trim() === '') throw new ApiError(400, 'The name of an organisation cannot be empty.');
    organisation.account.name = name;
    return emptyBody(organisation);
  },
};

function members({ records }: Organisation): { email: string; role: 'owner' | 'invited' }[] {
  const invited = records.invites.list().map(({ email }) => ({ email, role: 'invited' as const }));
  return [{ email: 'owner@taskdouble.invalid', role: 'owner' }, ...invited];
}
