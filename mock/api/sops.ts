import type { Schemas } from '../../spec/types.js';
import type { Organisation } from '../engine/organisation.js';
import { type Sop, takeTime } from '../engine/records.js';
import type { Handlers } from './context.js';
import { emptyBody } from './empty-body.js';
import { notFound } from './errors.js';
import { findWorkspace } from './workspaces.js';

/** Section "Apps, SOPs, automations": standard operating procedures, named by `t` (open point `sop.t`). */
export const sopHandlers: Pick<Handlers, 'listSops' | 'saveSop' | 'deleteSop'> = {
  listSops({ organisation, header }) {
    const { id } = findWorkspace(organisation, header['workspace-id']);
    const sops = organisation.records.sops.list().filter(({ workspace }) => workspace === id);
    return { sops: sops.map(viewSop) };
  },

  saveSop({ organisation, query: { t }, header, body: { title, content } }) {
    const { id } = findWorkspace(organisation, header['workspace-id']);
    const sop = t === 0 ? addSop(organisation, id) : findSop(organisation, id, t);
    Object.assign(sop, { title, content });
    return { sops: [viewSop(sop)] };
  },

  deleteSop({ organisation, query: { t }, header }) {
    const { id } = findWorkspace(organisation, header['workspace-id']);
    findSop(organisation, id, t);
    organisation.records.sops.delete(String(t));
    return emptyBody(organisation);
  },
};

function addSop({ records, world }: Organisation, workspace: string): Sop {
  const t = takeTime(records, 'sops', world.now);
  return records.sops.set(String(t), { t, workspace, title: '', content: '' });
}

function findSop({ records }: Organisation, workspace: string, t: number): Sop {
  const sop = records.sops.get(String(t));
  if (sop?.workspace !== workspace) throw notFound('SOP', String(t));
  return sop;
}

function viewSop({ t, title, content }: Sop): Schemas['SOP'] {
  return { t, title, content };
}
