import { findToolData } from '../engine/tasks/tool-data.js';
import { notFound, quote } from '../pipeline/errors.js';
import type { Handlers } from '../pipeline/handler.js';

/** Section "Workspaces, chats, messages": the data of a tool call, whoever asked for it. */
export const toolDataHandlers: Pick<Handlers, 'getToolData'> = {
  getToolData({ path: { tool, id }, owner }) {
    const organisation = owner((each) => findToolData(each, tool, id) !== undefined);
    const data = organisation && findToolData(organisation, tool, id);
    if (!data) throw notFound('call', id, `of tool ${quote(tool)}`);
    return data;
  },
};
