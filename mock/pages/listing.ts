import type { Organisation } from '../engine/organisation.js';

/** Tasks of one organisation on the start page, newest first. */
const MOST_LISTED = 50;
/** Requests that no operation is there for, newest first. */
const MOST_STRAYS = 10;

/** One line of the start page. */
export interface ListedTask {
  id: string;
  status: string;
  title: string;
}

/** A request to an address that no operation has: mistyped, most likely. */
export interface ListedStray {
  /** ms. */
  at: number;
  method: string;
  url: string;
  status: number;
}

/** What the start page tells of an organisation. */
export interface ListedOrganisation {
  name: string;
  tasks: readonly ListedTask[];
  /** Absent where there are none. */
  strays?: readonly ListedStray[];
}

/** What there is to tell of; organisations with nothing to tell are left out. */
export function listOrganisations(organisations: Iterable<Organisation>): ListedOrganisation[] {
  return [...organisations].flatMap((organisation) => {
    const { name } = organisation;
    const tasks = listTasks(organisation);
    const strays = listStrays(organisation);
    if (strays.length > 0) return [{ name, tasks, strays }];
    return tasks.length > 0 ? [{ name, tasks }] : [];
  });
}

function listTasks({ world }: Organisation): ListedTask[] {
  return [...world.tasks.values()]
    .slice(-MOST_LISTED)
    .reverse()
    .map(({ id, status, request, session }) => ({
      id,
      status,
      title: session ? 'Session' : String(request.task).slice(0, 120),
    }));
}

function listStrays({ journal }: Organisation): ListedStray[] {
  return journal
    .strays(MOST_STRAYS)
    .reverse()
    .map(({ request: { at, method, url }, response }) => ({
      at,
      method,
      url: url.slice(0, 200),
      status: response?.status ?? 0,
    }));
}
