import { toWire } from '../../mock/admin/admin-request.js';
import { ADMIN_ROUTES } from '../../mock/admin/admin-routes.js';
import { createTaskFilter } from '../../mock/admin/filter-tasks.js';
import { type AdminRoute, type AdminRoutes, KEY } from '../../mock/admin/route.js';
import { createStreamResponse } from '../../mock/admin/stream/stream-response.js';
import { selectPage } from '../../mock/admin/task-routes.js';
import { viewFile } from '../../mock/admin/view-file.js';
import type { TaskSummary } from '../../mock/control/views.js';
import type { Organisation } from '../../mock/engine/organisation.js';
import { toExchange } from '../../mock/exchange/journal-entry.js';
import type { Mock } from '../../mock/mock.js';
import { ReadExchange } from '../conversation/read-exchange.js';
import { beginSummary, continueSummary } from '../conversation/task-summary.js';
import type { ServiceProxy } from './service-proxy.js';

/** Operations of a mock's admin API that a proxy supports unchanged. */
const SHARED = [
  'POST /reset',
  'GET /network',
  'PUT /network',
  'DELETE /network',
  'GET /journal',
  'GET /keys',
  'POST /keys',
  'GET /gates',
  'POST /gates',
  'POST /network',
  'PATCH /network',
  'GET /network/verbs',
  'GET /network/why',
];

/** The admin API of a proxy. */
export const PROXY_ROUTES: AdminRoutes<ServiceProxy> = {
  'GET /health': {
    about: 'Health: the target, and how many organisations, tasks and exchanges the proxy holds.',
    run: ({ target }) => toWire(target.health()),
  },
  ...Object.fromEntries(SHARED.map((name) => [name, ADMIN_ROUTES[name] as AdminRoute<ServiceProxy & Mock>])),
  'GET /tasks': {
    about: 'Tasks as their exchanges show them, newest first.',
    query: ['limit', 'before', 'exchange'],
    run: ({ target: { streamSource: source }, query }) => {
      const organisations = [...source.listOrganisations()];
      const matches = createTaskFilter(organisations, query.exchange);
      const { page, more } = selectPage(organisations.flatMap(summarizeTasks).filter(matches), query);
      return { tasks: page, more };
    },
  },
  'GET /stream': {
    about: 'Server-sent events, as on a mock.',
    query: ['from'],
    run: (call) => createStreamResponse(call.target.streamSource, call),
  },
  'POST /view': {
    about: 'The data of the page of a journal, HAR, report or race file in the body, as on a mock.',
    query: ['name'],
    run: (call) => viewFile(call.target.readPage, call),
  },
  'GET /findings': {
    about: 'Findings of the rules about clients and service so far.',
    query: KEY,
    run: ({ target, key }) => ({ findings: target.findings(key) }),
  },
};

/** Most tasks of one organisation: beyond it, the oldest are removed. */
const MOST_TASKS = 20_000;

/** The tasks of one organisation, derived from its exchanges. Each exchange is read once, on demand. */
class ProxiedTasks {
  /** The objects are immutable: an updated task gets a new one. */
  readonly #byId = new Map<string, TaskSummary>();
  #seq = 0;
  #open: ReadonlySet<number> = new Set();

  constructor(private readonly organisation: Organisation) {}

  /** The current state, in the order of discovery. */
  read(): ReadonlyMap<string, TaskSummary> {
    const { journal, name } = this.organisation;
    const news = journal.since(this.#seq, this.#open);
    for (const entry of news)
      if (entry.isOver && entry.task !== undefined)
        this.#add(entry.task, new ReadExchange(toExchange(entry, name)));
    this.#seq = journal.seq;
    this.#open = new Set(news.filter(({ isOver }) => !isOver).map(({ seq }) => seq));
    return this.#byId;
  }

  #add(id: string, exchange: ReadExchange): void {
    const before = this.#byId.get(id);
    // A path may have an id without a task: only a success proves that the task exists.
    if (!before && !exchange.ok) return;
    this.#byId.set(id, before ? continueSummary(before, exchange) : beginSummary(id, exchange));
    if (this.#byId.size > MOST_TASKS) this.#byId.delete(this.#byId.keys().next().value!);
  }
}

const tasksByOrganisation = new WeakMap<Organisation, ProxiedTasks>();

function openProxiedTasks(organisation: Organisation): ProxiedTasks {
  const tasks = tasksByOrganisation.get(organisation) ?? new ProxiedTasks(organisation);
  tasksByOrganisation.set(organisation, tasks);
  return tasks;
}

/** Undefined if no exchange is about the task. */
export function summarizeTask(organisation: Organisation, id: string): TaskSummary | undefined {
  return openProxiedTasks(organisation).read().get(id);
}

/** All tasks of the organisation, the oldest first. */
function summarizeTasks(organisation: Organisation): TaskSummary[] {
  return [...openProxiedTasks(organisation).read().values()];
}
