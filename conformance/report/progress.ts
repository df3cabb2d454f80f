import { MARKS_OF_LEVELS } from '../../spec/signs.js';
import { toOneLine } from '../../spec/visible.js';
import { readSubject } from '../causes/causes.js';
import { type CheckResult, OUTCOMES, type Outcome } from '../causes/check-result.js';
import { formatCount, formatTime } from '../common/text.js';
import { groupCauses } from '../explore/causes/causes.js';
import type { ExploreEvent, Failure, Progress } from '../explore/types.js';
import { type ConformEvent, formatRunTime } from '../service/runner/result.js';
import { createPalette, isColored, paint } from './palette.js';
import { type Output, readDisplay, wrapLine } from './terminal.js';

type TerminalEnvironment = Readonly<Record<string, string | undefined>>;

const ERASE = '\r\u001b[2K';
/** Real time between two plain progress lines, ms. */
const LINE_EVERY_MS = 5000;

/** Writes plain lines, and in a terminal one line below them that is overwritten. */
class ProgressLine {
  readonly isLive: boolean;
  readonly colours;

  constructor(
    private readonly stream: Output,
    env: TerminalEnvironment,
  ) {
    this.isLive = stream.isTTY === true && env.TERM !== 'dumb';
    this.colours = createPalette(isColored(stream, env));
  }

  writeLine(line: string): void {
    const rows = wrapLine(line, readDisplay(this.stream).columns);
    this.stream.write(`${this.isLive ? ERASE : ''}${rows.join('\n')}\n`);
  }

  draw(line: string): void {
    if (!this.isLive) return;
    const width = Math.max(20, (this.stream.columns ?? 80) - 1);
    this.stream.write(`${ERASE}${this.colours.dim(line.slice(0, width))}`);
  }

  erase(): void {
    if (this.isLive) this.stream.write(ERASE);
  }
}

/**
 * Shows the progress of a run: the first failure of each rule immediately, and outside a terminal a line for each tenth of
 * the checks. The returned function receives the events of the run. `about` replaces the address of the service in the first
 * line. `isReported`: the reader sees the report, so that failures are only counted here.
 */
export function showProgress(
  stream: Output,
  env: TerminalEnvironment = process.env,
  { about, isReported = false }: { about?: string; isReported?: boolean } = {},
): (event: ConformEvent) => void {
  const shown = new ProgressLine(stream, env);
  const counts: Record<Outcome, number> = {
    passed: 0,
    failed: 0,
    flaky: 0,
    error: 0,
    inconclusive: 0,
    skipped: 0,
  };
  const running = new Set<string>();
  const broken = new Set<string>();
  const isNew = (check: CheckResult) => broken.size < broken.add(readSubject(check)).size;
  let state = { done: 0, total: 0, elapsedMs: 0, isSlowed: false };
  let planned = 0;
  let tenths = 0;
  const formatProgress = () => {
    const parts = OUTCOMES.flatMap((outcome) =>
      counts[outcome] > 0 ? [`${counts[outcome]} ${outcome}`] : [],
    );
    const grown = state.total > planned ? ` (+${state.total - planned} for rules that failed)` : '';
    const shares = parts.length > 0 ? `: ${parts.join(', ')}` : '';
    const left = state.total - state.done;
    const leftMs = (state.elapsedMs / state.done) * left;
    const pace = state.isSlowed ? ', slowed by 429' : '';
    const rest = state.done > 0 && left > 0 ? `; about ${formatTime(leftMs)} left${pace}` : '';
    return `${state.done} of ${state.total} checks${grown}${shares}${rest}`;
  };
  return (event) => {
    switch (event.type) {
      case 'start': {
        planned = event.checks;
        state = { ...state, total: planned };
        const tasks = `${formatCount(event.checks, 'check')}, ${formatCount(event.tasks, 'task')} at most`;
        shown.writeLine(`${toOneLine(about ?? `${event.baseUrl}: ${tasks}`)}, seed ${event.seed}`);
        break;
      }
      case 'case':
        if (event.running) running.add(event.case);
        else running.delete(event.case);
        break;
      case 'check': {
        const { check, done, total, elapsedMs, isSlowed = false } = event;
        state = { done, total, elapsedMs, isSlowed };
        counts[check.outcome]++;
        // Only one failure per rule: the report groups the others.
        if (!isReported && (check.outcome === 'error' || (check.outcome === 'failed' && isNew(check))))
          shown.writeLine(
            `${paint(check.outcome, shown.colours)} ${toOneLine(check.id)}: ${toOneLine(check.message)}`,
          );
        const passed = Math.floor((state.done * 10) / state.total);
        const isTested = counts.passed + counts.failed + counts.flaky + counts.error > 0;
        if (!shown.isLive && isTested && passed > tenths) shown.writeLine(formatProgress());
        tenths = Math.max(tenths, passed);
        break;
      }
      case 'note':
        planned += event.checks ?? 0;
        shown.writeLine(toOneLine(event.text));
        break;
      case 'end':
        shown.erase();
        return;
    }
    const names = [...running].slice(-2).join(', ');
    shown.draw(`${formatProgress()}${names ? ` · ${names}` : ''}`);
  };
}

/** Real time between two updates of an overwritten line, ms. */
const DRAW_EVERY_MS = 100;

/**
 * Shows the progress of a command of unknown duration: in a terminal as an overwritten line, elsewhere as a line every few
 * seconds. Call `erase` before other output. `now` in ms.
 */
export function showSteps(
  stream: Output,
  env: TerminalEnvironment = process.env,
  now: () => number = () => performance.now(),
): { show: (describe: () => string) => void; erase: () => void } {
  const shown = new ProgressLine(stream, env);
  const pauseMs = shown.isLive ? DRAW_EVERY_MS : LINE_EVERY_MS;
  let shownMs = now();
  return {
    show(describe) {
      if (now() - shownMs < pauseMs) return;
      shownMs = now();
      const line = toOneLine(describe());
      if (shown.isLive) shown.draw(line);
      else shown.writeLine(line);
    },
    erase: () => shown.erase(),
  };
}

/**
 * Shows the progress of a search: new causes immediately, and outside a terminal a line every few seconds. The returned
 * function receives the events of the search.
 */
export function showSearch(
  stream: Output,
  client: string,
  env: TerminalEnvironment = process.env,
): (event: ExploreEvent) => void {
  const shown = new ProgressLine(stream, env);
  let schedules = 0;
  let printedMs = 0;
  const failures: Failure[] = [];
  let causes = 0;
  const isNewCause = (failure: Failure) => {
    failures.push(failure);
    const before = causes;
    causes = groupCauses(failures).length;
    return causes > before;
  };
  return (event) => {
    switch (event.type) {
      case 'start': {
        schedules = event.schedules;
        const { scenarios, time, adapter, seed, shard } = event;
        const part = shard ? `, part ${shard.part} of ${shard.of}` : '';
        const budget = `${formatCount(scenarios.length, 'scenario')}, ${formatCount(schedules, 'schedule')} at most`;
        shown.writeLine(
          `${toOneLine(client)}: ${budget}, time ${formatRunTime(time, adapter)}, seed ${seed}${part}`,
        );
        break;
      }
      case 'progress': {
        const line = formatProgressLine(event.progress, schedules);
        shown.draw(line);
        if (shown.isLive || event.progress.elapsedMs - printedMs < LINE_EVERY_MS) break;
        printedMs = event.progress.elapsedMs;
        shown.writeLine(line);
        break;
      }
      case 'failure': {
        const { scenario, key, level, message } = event.failure;
        if (level === 'must' && !isNewCause(event.failure)) break;
        const sign = paint(MARKS_OF_LEVELS[level], shown.colours);
        shown.writeLine(`${sign} ${toOneLine(`${scenario}#${key}: ${message}`)}`);
        break;
      }
      case 'note':
        shown.writeLine(toOneLine(event.text));
        break;
      case 'end':
        shown.erase();
        if (!shown.isLive && event.report.progress.schedules > 0)
          shown.writeLine(formatProgressLine({ ...event.report.progress, leftMs: undefined }, schedules));
        break;
    }
  };
}

/** `412 of 10000 schedules (1 deviation): 380 distinct, 20 not triggered, 3 failing; 214/s, 45 s left at most`. */
function formatProgressLine(progress: Progress, schedules: number): string {
  const { phase, distinct, notTriggered, failing, perSecond, leftMs } = progress;
  const where = phase === 'walk' ? 'random' : phase === 0 ? 'as they stand' : formatCount(phase, 'deviation');
  const rate = perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1);
  const left = leftMs === undefined ? '' : `, ${formatTime(leftMs)} left at most`;
  const done = `${progress.schedules} of ${schedules} schedules (${where})`;
  return `${done}: ${distinct} distinct, ${notTriggered} not triggered, ${failing} failing; ${rate}/s${left}`;
}
