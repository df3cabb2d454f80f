import { field } from '../../../conversation/json.js';
import { summarize } from '../../http-client/response.js';
import {
  type CreatedWorkspace,
  inWorkspace,
  WORKSPACE_IDS,
  workspaceIdOf,
} from '../../request-builders/workspaces.js';
import { idIn, mentions, payloadOf, unlike } from '../../test-case/read-record.js';
import { carryOut, describeRequest, mustFollow } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

export const workspaceCase: TestCase = {
  id: 'resources/workspace',
  title: 'A workspace is made under its name, shared only if told to, and read by its header alone',
  covers: ['WORKSPACE-01', 'WORKSPACE-02', 'CHAT-12'],
  operations: ['createWorkspace', 'getWorkspace'],
  async run(t) {
    const one = await create(t);
    const other = await create(t, true);
    const message = `POST /workspace/{name}: expected workspaces with ids of their own, got "${one.id}" twice`;
    if (other.id === one.id) t.fail('WORKSPACE-02', message, one.created, other.created);
    await isRead(t, one, other);
    if (other.id !== one.id) await isRead(t, other, one);
    const never = await t.send('getWorkspace', inWorkspace(unlike(one.id)));
    if (never.ok && mentions(payloadOf(never), one.name))
      t.fail('WORKSPACE-01', `GET /workspace with an unknown id gives the workspace "${one.name}"`, never);
    const headless = await t.send('getWorkspace');
    // Whether a header counts as a parameter that is invalid is open (`errors.invalid-parameters`).
    const isRefused = headless.status === 422 || headless.status === 400;
    const refusal = `GET /workspace without the header workspace-id, while it is answered with it: expected 422, got ${summarize(headless)}`;
    t.expect('CHAT-12', isRefused, refusal, headless);
  },
};

async function create(t: TestContext, shared?: true): Promise<CreatedWorkspace> {
  const name = t.unique();
  const sending = { path: { name }, query: shared ? { shared } : {} };
  const created = await carryOut(t, 'WORKSPACE-02', 'createWorkspace', sending);
  const what = describeRequest('createWorkspace', sending);
  const got = `got ${summarize(created)}`;
  const isNamed = mentions(payloadOf(created), name);
  // A record that shows no name has this one.
  if (isNamed || field(payloadOf(created), 'name') !== undefined)
    t.expect('WORKSPACE-02', isNamed, `${what}: expected a workspace of that name, ${got}`, created);
  const flag = field(payloadOf(created), 'shared') ?? shared ?? false;
  const message = `${what}: expected shared to be ${shared ?? false}, ${got}`;
  if (flag !== (shared ?? false)) t.fail('WORKSPACE-02', message, created);
  return { id: workspaceIdOf(t, created, name), name, created };
}

async function isRead(
  t: TestContext,
  { id, name }: CreatedWorkspace,
  other: CreatedWorkspace,
): Promise<void> {
  const read = await carryOut(t, 'WORKSPACE-01', 'getWorkspace', inWorkspace(id), mustFollow);
  const payload = payloadOf(read);
  const own = idIn(payload, WORKSPACE_IDS);
  const isOne = own === id || (own === undefined && mentions(payload, name));
  if (own === undefined && !mentions(payload, name) && !mentions(payload, other.name)) return;
  const message = `GET /workspace with workspace-id ${id}: expected the workspace "${name}", got ${summarize(read)}`;
  t.expect('WORKSPACE-01', isOne && !mentions(payload, other.name), message, read);
}
