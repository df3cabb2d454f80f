import type { Schemas } from '../../spec/types.js';
import type { Organisation } from '../engine/organisation.js';
import { type Sop, takeTime, type Workspace } from '../engine/resources/records.js';
import { notFound } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';
import { emptyBody } from '../pipeline/responses.js';
import { findWorkspace, inWorkspace } from './workspaces.js';

/** Section "Apps, SOPs, automations": standard operating procedures, named by `t` (open point `sop.t`). */
export const sopHandlers: Pick<Handlers, 'listSops' | 'saveSop' | 'deleteSop'> = {
  listSops({ organisation, header }) {
    return viewSops(organisation, findWorkspace(organisation, header['workspace-id']));
  },

  saveSop({ organisation, query: { t }, header, body: { title, content } }) {
    const workspace = findWorkspace(organisation, header['workspace-id']);
    const sop = t === 0 ? addSop(organisation, workspace.id) : findSop(organisation, workspace, t);
    Object.assign(sop, { title, content });
    return viewSops(organisation, workspace);
  },

  deleteSop({ organisation, query: { t }, header }) {
    findSop(organisation, findWorkspace(organisation, header['workspace-id']), t);
    organisation.records.sops.delete(String(t));
    return emptyBody(organisation);
  },
};

function addSop({ records, world }: Organisation, workspace: string): Sop {
  const t = takeTime(records, 'sops', world.now);
  return records.sops.set(String(t), { t, workspace, title: '', content: '' });
}

function findSop({ records }: Organisation, workspace: Workspace, t: number): Sop {
  const sop = records.sops.get(String(t));
  if (sop?.workspace !== workspace.id) throw notFound('SOP', t, inWorkspace(workspace));
  return sop;
}

/** All SOPs of the workspace, oldest first. */
function viewSops({ records }: Organisation, { id }: Workspace): Schemas['SOPResponse'] {
  const sops = records.sops.list().filter(({ workspace }) => workspace === id);
  return { sops: sops.map(({ t, title, content }) => ({ t, title, content })) };
}
