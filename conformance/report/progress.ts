import { type ConformEvent, OUTCOMES, type Outcome } from '../service/runner/result.js';
import { coloured, mark, palette } from './palette.js';
import { count, oneLine } from './text.js';
import type { Output } from './write.js';

const ERASE = '\r\u001b[2K';

/**
 * Shows a run while it goes on: in a terminal one line that is written over, elsewhere a plain line for what fails and
 * for each tenth of the way. To be handed the events of the run. `about` is said at first in place of the service's address.
 */
export function showProgress(
  stream: Output,
  env: Readonly<Record<string, string | undefined>> = process.env,
  about?: string,
): (event: ConformEvent) => void {
  const live = stream.isTTY === true && env.TERM !== 'dumb';
  const colours = palette(coloured(stream, env));
  const counts: Record<Outcome, number> = { passed: 0, failed: 0, error: 0, inconclusive: 0, skipped: 0 };
  const running = new Set<string>();
  let way = { done: 0, total: 0 };
  let tenths = 0;

  const soFar = () => {
    const parts = OUTCOMES.filter((outcome) => counts[outcome] > 0).map(
      (outcome) => `${counts[outcome]} ${outcome}`,
    );
    return `${way.done} of ${way.total} checks${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
  };
  const say = (line: string) => stream.write(`${live ? ERASE : ''}${line}\n`);
  const redraw = () => {
    if (!live) return;
    const names = [...running].slice(-2).join(', ');
    const line = `${soFar()}${names ? ` · ${names}` : ''}`;
    stream.write(`${ERASE}${colours.dim(line.slice(0, Math.max(20, (stream.columns ?? 80) - 1)))}`);
  };

  return (event) => {
    switch (event.type) {
      case 'start': {
        way = { done: 0, total: event.checks };
        const tasks = `${count(event.checks, 'check')}, ${count(event.tasks, 'task')} at most`;
        say(`${oneLine(about ?? `${event.baseUrl}: ${tasks}`)}, seed ${event.seed}`);
        break;
      }
      case 'case':
        if (event.running) running.add(event.case);
        else running.delete(event.case);
        break;
      case 'check': {
        const { check, done, total } = event;
        // Breaches of what a case was not about make checks that nobody counted beforehand.
        way = { done, total: Math.max(done, total) };
        counts[check.outcome]++;
        if (check.outcome === 'failed' || check.outcome === 'error')
          say(`${mark(check.outcome, colours)} ${oneLine(check.id)}: ${oneLine(check.message)}`);
        const passed = Math.floor((way.done * 10) / way.total);
        if (!live && passed > tenths) {
          tenths = passed;
          say(soFar());
        }
        break;
      }
      case 'note':
        say(oneLine(event.text));
        break;
      case 'end':
        running.clear();
        if (live) stream.write(ERASE);
        return;
    }
    redraw();
  };
}
