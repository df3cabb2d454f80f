import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { type MockAdmin, requireScenario } from './mock-admin.js';
import { CHANGES, READS, reportErrors, ToolError, takeFirst, takeLastLines } from './result.js';
import { VIEW_META, type ViewPages } from './view-pages.js';

const MOST_LIST_BYTES = 1600;

/** Tools that show what a mock does, and change it. */
export function addMockTools(server: McpServer, mock: MockAdmin, pages: ViewPages): void {
  server.registerTool(
    'list_scenarios',
    {
      title: 'List scenarios',
      description:
        'List scenarios of the library: conversations that the mock plays and that clients are judged by. search: words in name or title.',
      inputSchema: z.strictObject({ search: z.string().max(200).default('') }),
      outputSchema: z.object({
        scenarios: z.array(z.object({ name: z.string(), title: z.string() })),
        more: z.number(),
      }),
      annotations: READS,
    },
    ({ search }) =>
      reportErrors(async () => {
        const words = search.toLowerCase().split(/\s+/).filter(Boolean);
        const found = (await loadLibrary())
          .map(({ name, title }) => ({ name, title }))
          .filter(({ name, title }) =>
            words.every((word) => `${name} ${title}`.toLowerCase().includes(word)),
          );
        const { shown, more } = takeFirst(found, MOST_LIST_BYTES);
        return { scenarios: shown, more };
      }),
  );
  server.registerTool(
    'next_scenario',
    {
      title: 'Choose the next scenario',
      description:
        'Choose what the next task does: the name of a scenario of the library, or a scenario as YAML (see the resource taskdouble://docs/write-a-scenario).',
      inputSchema: z.strictObject({
        name: z.string().max(200).optional(),
        yaml: z.string().max(100_000).optional(),
      }),
      outputSchema: z.object({ queued: z.array(z.string()) }),
      annotations: CHANGES,
    },
    ({ name, yaml }) =>
      reportErrors(async () => {
        if ((yaml === undefined) === (name === undefined))
          throw new ToolError('Give either the name of a scenario, or a scenario as yaml.');
        if (name !== undefined) await requireScenario(mock, name);
        const response = await mock.request('POST', '/scenarios/next', yaml ?? { name });
        return { queued: ((await response.json()) as { queued: string[] }).queued.slice(-10) };
      }),
  );
  server.registerTool(
    'set_faults',
    {
      title: 'Set network faults',
      description:
        'Set the network faults of the next requests, in place of those before: "drop response of reply times 1", "fail 503 of poll times 2", "delay 2s of create", "redeliver of poll times 1". Without rules there are none. explain has each verb.',
      inputSchema: z.strictObject({ rules: z.array(z.string().max(300)).max(10).default([]) }),
      outputSchema: z.object({
        rules: z.array(z.object({ id: z.string(), hits: z.number(), rule: z.string() })),
        more: z.number(),
      }),
      annotations: CHANGES,
    },
    ({ rules }) =>
      reportErrors(async () => {
        if (rules.length === 0) await mock.request('DELETE', '/network');
        else await mock.request('PUT', '/network', rules.join('; '));
        const response = await mock.request('GET', '/network');
        const { network, for_all: forAll = [] } = (await response.json()) as NetworkResponse;
        // Those of all organisations are in each of them, too.
        const listed = network.length > 0 ? network.flatMap((each) => each.rules) : forAll;
        const { shown, more } = takeFirst(
          listed.map(({ id, fired = 0, rule }) => ({ id, hits: fired, rule: JSON.stringify(rule) })),
          MOST_LIST_BYTES,
        );
        return { rules: shown, more };
      }),
  );
  server.registerTool(
    'timeline',
    {
      title: 'Show the conversation',
      description:
        'Read the conversations with the mock so far: each request, response and event with its time, what open tasks wait for, and which rules the client broke.',
      inputSchema: z.strictObject({ task: z.string().max(100).optional() }),
      outputSchema: z.object({
        timeline: z.string(),
        lines_left_out: z.number(),
        findings: z.array(z.object({ rule: z.string(), level: z.string(), message: z.string() })),
        more_findings: z.number(),
      }),
      annotations: READS,
      _meta: VIEW_META,
    },
    ({ task }) =>
      pages.report(server, async () => {
        const query = task === undefined ? '' : `?task=${encodeURIComponent(task)}`;
        const text = await (await mock.request('GET', `/timeline${query}`)).text();
        const response = await mock.request('GET', '/findings');
        const { findings } = (await response.json()) as { findings: ListedFinding[] };
        const about = findings.filter((each) => task === undefined || each.task === task);
        const { shown, more } = takeFirst(
          about.map(({ rule, level, message }) => ({ rule, level, message: message.slice(0, 220) })),
          700,
        );
        const { text: timeline, left_out } = takeLastLines(text.trim(), 1100);
        return {
          value: { timeline, lines_left_out: left_out, findings: shown, more_findings: more },
          page: task === undefined ? 'mock' : `task-${task}`,
        };
      }),
  );
  server.registerTool(
    'wait',
    {
      title: 'Wait for a task',
      description:
        'Wait until a task of the mock has a status (waiting, running, done, failed, cancelled or finished), an event with this name or id, or something waits for a gate. At most 60 s.',
      inputSchema: z.strictObject({
        task: z.string().max(100).optional(),
        status: z.string().max(20).optional(),
        event: z.string().max(100).optional(),
        gate: z.string().max(100).optional(),
        timeout_s: z.number().positive().max(60).default(10),
      }),
      outputSchema: z.object({ holds: z.boolean(), detail: z.string() }),
      annotations: READS,
    },
    ({ timeout_s: seconds, ...conditions }) =>
      reportErrors(async () => {
        const { status, event, gate } = conditions;
        if ((status ?? event ?? gate) === undefined)
          throw new ToolError('Give what to wait for: status, event or gate.');
        const query = new URLSearchParams(
          Object.entries(conditions).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        );
        query.set('timeout', `${seconds}s`);
        const response = await mock.request('GET', `/wait?${query}`);
        return { holds: true, detail: (await response.text()).slice(0, 1000) };
      }),
  );
  server.registerTool(
    'advance_clock',
    {
      title: 'Move the clock',
      description:
        'Move the clock of the mock: by a duration ("30s", "10m"), or with "next" to the next event that is due.',
      inputSchema: z.strictObject({ by: z.string().max(20) }),
      outputSchema: z.object({ now: z.number(), next_due: z.number().nullable() }),
      annotations: CHANGES,
    },
    ({ by }) =>
      reportErrors(async () => {
        const response = await mock.request(
          'POST',
          '/clock',
          by === 'next' ? { to: 'next' } : { advance: by },
        );
        const { clocks } = (await response.json()) as { clocks: { now: number; next_due: number | null }[] };
        return { now: clocks[0]?.now ?? 0, next_due: clocks[0]?.next_due ?? null };
      }),
  );
}

interface ListedRule {
  id: string;
  fired?: number;
  rule: unknown;
}

interface NetworkResponse {
  network: { rules: ListedRule[] }[];
  for_all?: ListedRule[];
}

interface ListedFinding {
  rule: string;
  level: string;
  message: string;
  task?: string;
}
