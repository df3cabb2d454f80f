import { linearPattern } from '../../../spec/linear-pattern.js';
import type { Match, Scenario } from '../types.js';

/** The body of POST /task. */
export type TaskRequest = Readonly<Record<string, unknown>>;

/** What kept a request from following a scenario, in words. */
export type Miss = string;

/**
 * What a scenario without `match` fits: the same task text with the same tools, or a session with the same url. A session
 * without a url is chosen by name only, as every session would fit it.
 */
export function deriveMatch(request: TaskRequest): Match {
  const tools = toolNames(request);
  if (typeof request.task === 'string') return { task: request.task, ...(tools.length > 0 ? { tools } : {}) };
  if (typeof request.url === 'string' && request.url !== '') return { session: true, url: request.url };
  return 'never';
}

/** True when the request follows the scenario unasked, else everything that is in the way. */
export function fits(scenario: Scenario, request: TaskRequest): true | Miss[] {
  const misses = Array.from(missesOf(scenario.match, request));
  return misses.length === 0 ? true : misses;
}

/** The first scenario that fits; when none does, the one that comes nearest and why it does not fit. */
export function choose(
  scenarios: readonly Scenario[],
  request: TaskRequest,
): { scenario?: Scenario; nearest?: { name: string; why: string } } {
  const matcher = new Matcher(scenarios);
  const scenario = matcher.choose(request);
  if (scenario) return { scenario };
  const nearest = matcher.nearest(request);
  return nearest ? { nearest } : {};
}

/**
 * Chooses among many scenarios: those with a task text are looked up by it, sessions with a start page by that; only
 * the others are tried one by one.
 */
export class Matcher {
  readonly #byTask = new Map<string, MatchEntry[]>();
  readonly #byUrl = new Map<string, MatchEntry[]>();
  readonly #others: MatchEntry[] = [];

  constructor(private readonly scenarios: readonly Scenario[]) {
    scenarios.forEach((scenario, order) => {
      const { match } = scenario;
      if (match === 'never') return;
      const entry = { scenario, order };
      if (typeof match.task === 'string') file(this.#byTask, match.task, entry);
      else if (match.session === true && match.url !== undefined) file(this.#byUrl, match.url, entry);
      else this.#others.push(entry);
    });
  }

  /** The first scenario, in the order they were given, that fits. */
  choose(request: TaskRequest): Scenario | undefined {
    const { task, url } = request;
    const indexed = typeof task === 'string' ? this.#byTask.get(task) : this.#byUrl.get(url as string);
    const first = indexed && firstFit(indexed, request);
    const other = this.#others.length > 0 ? firstFit(this.#others, request) : undefined;
    return (first && (!other || first.order < other.order) ? first : other)?.scenario;
  }

  /** The scenario that lacks least to fit, and what it lacks; undefined when it lacks nothing or its likeness is below `least` (0 to 2). Looks at all of them: for messages only. */
  nearest(request: TaskRequest, least = 0): { name: string; why: string } | undefined {
    let best: { scenario: Scenario; misses: Miss[]; score: number } | undefined;
    for (const scenario of this.scenarios) {
      const found = fits(scenario, request);
      const misses = found === true ? [] : found;
      const score = likeness(scenario, request) - misses.length / 10;
      if (!best || score > best.score) best = { scenario, misses, score };
    }
    if (!best || best.misses.length === 0 || best.score < least) return undefined;
    return { name: best.scenario.name, why: best.misses.join('; ') };
  }
}

interface MatchEntry {
  scenario: Scenario;
  order: number;
}

function file(index: Map<string, MatchEntry[]>, key: string, entry: MatchEntry): void {
  const entries = index.get(key);
  if (entries) entries.push(entry);
  else index.set(key, [entry]);
}

function firstFit(entries: readonly MatchEntry[], request: TaskRequest): MatchEntry | undefined {
  return entries.find(({ scenario }) => missesOf(scenario.match, request).next().done);
}

function* missesOf(match: Match, request: TaskRequest): Generator<Miss> {
  if (match === 'never') {
    yield 'it is chosen by name only (match: never)';
    return;
  }
  if (match.task !== undefined) yield* missesOfTask(match.task, request.task);
  const session = typeof request.task !== 'string';
  if (match.session !== undefined && match.session !== session) {
    yield match.session
      ? 'it is a session (task null), the request is a one-shot task'
      : 'it is a one-shot task, the request is a session (task null)';
  }
  if (match.url !== undefined && match.url !== request.url) {
    yield `it has url ${quote(match.url)}, the request ${typeof request.url === 'string' ? quote(request.url) : 'none'}`;
  }
  if (match.tools === undefined) return;
  const names = toolNames(request);
  const missing = match.tools.filter((tool) => !names.includes(tool));
  if (missing.length > 0) {
    yield `it needs the tools ${missing.join(', ')}, the request registers ${names.join(', ') || 'none'}`;
  }
}

function* missesOfTask(
  wanted: string | { contains: string } | { pattern: string },
  task: unknown,
): Generator<Miss> {
  if (typeof task !== 'string') {
    yield 'it is a one-shot task, the request is a session (task null)';
  } else if (typeof wanted === 'string') {
    if (task !== wanted) yield `its task is ${quote(wanted)}, the request has ${quote(task)}`;
  } else if ('contains' in wanted) {
    if (!task.includes(wanted.contains))
      yield `its task contains ${quote(wanted.contains)}, the request has ${quote(task)}`;
  } else {
    if (!linearPattern(wanted.pattern).test(task))
      yield `its task matches ${quote(wanted.pattern)}, the request has ${quote(task)}`;
  }
}

function toolNames(request: TaskRequest): string[] {
  const tools = request.custom_tools;
  return Array.isArray(tools) ? tools.map((tool: { name?: unknown } | null) => String(tool?.name)) : [];
}

/**
 * 0 to 2: below 1 the two are not of one kind (task or session); the rest is how much of the words of the task texts they
 * have in common. All tools in common are worth half of the words.
 */
function likeness(scenario: Scenario, request: TaskRequest): number {
  const { match } = scenario;
  const wanted = match === 'never' ? scenario.request.task : match.task;
  const text = typeof wanted === 'string' ? wanted : Object.values(wanted ?? {}).join(' ');
  const tools = toolNames(scenario.request);
  const offered = tools.length > 0 ? toolNames(request) : [];
  const sameTools = tools.length > 0 && tools.every((tool) => offered.includes(tool));
  if (typeof request.task !== 'string') {
    if (typeof scenario.request.task === 'string') return 0;
    return sameTools ? 1.5 : 1;
  }
  if (typeof scenario.request.task !== 'string') return 0;
  const ours = wordsOf(text);
  const theirs = wordsOf(request.task);
  let shared = 0;
  for (const word of ours) if (theirs.has(word)) shared++;
  const words = shared / Math.max(1, ours.size + theirs.size - shared);
  return sameTools ? 1.5 + words / 2 : 1 + words;
}

/** The first words, lower case: enough to tell texts apart, whatever their length. */
function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .slice(0, 2000)
      .toLowerCase()
      .split(/[^\p{L}\p{N}_]+/u)
      .filter(Boolean),
  );
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}
