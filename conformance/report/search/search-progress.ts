import type { ExploreEvent, Find, Progress } from '../../explore/types.js';
import { coloured, mark, palette } from '../palette.js';
import { count, oneLine, showTime } from '../text.js';
import type { Output } from '../write.js';

const ERASE = '\r\u001b[2K';
/** Real time between two plain lines, ms. */
const LINE_EVERY_MS = 5000;

/** `412 of 10000 schedules (1 deviation): 380 distinct, 20 unrealised, 3 failures; 214/s, 45 s left`. */
export function progressLine(progress: Progress, schedules: number): string {
  const { phase, distinct, unrealised, failures, perSecond, leftMs } = progress;
  const where = phase === 'walk' ? 'random' : phase === 0 ? 'as they stand' : count(phase, 'deviation');
  const rate = perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1);
  const left = leftMs === undefined ? '' : `, ${showTime(leftMs)} left at most`;
  const done = `${progress.schedules} of ${schedules} schedules (${where})`;
  return `${done}: ${distinct} distinct, ${unrealised} unrealised, ${count(failures, 'failure')}; ${rate}/s${left}`;
}

/**
 * Shows a search while it goes on: in a terminal one line that is written over, elsewhere a plain line now and then;
 * each find at once. To be handed the events of the search.
 */
export function showSearch(
  stream: Output,
  client: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): (event: ExploreEvent) => void {
  const live = stream.isTTY === true && env.TERM !== 'dumb';
  const colours = palette(coloured(stream, env));
  let schedules = 0;
  let told = 0;
  const say = (line: string) => stream.write(`${live ? ERASE : ''}${line}\n`);
  const found = ({ scenario, bucket, message }: Find) => {
    const sign = bucket.level === 'must' ? mark('failed', colours) : colours.cyan('i');
    say(`${sign} ${oneLine(`${scenario}#${bucket.key}: ${message}`)}`);
  };
  return (event) => {
    switch (event.type) {
      case 'start': {
        schedules = event.schedules;
        const { scenarios, time, seed, shard } = event;
        const part = shard ? `, part ${shard.part} of ${shard.of}` : '';
        const budget = `${count(scenarios.length, 'scenario')}, ${count(schedules, 'schedule')} at most`;
        say(`${oneLine(client)}: ${budget}, time ${time}, seed ${seed}${part}`);
        break;
      }
      case 'progress': {
        const line = progressLine(event.progress, schedules);
        if (live)
          stream.write(`${ERASE}${colours.dim(line.slice(0, Math.max(20, (stream.columns ?? 80) - 1)))}`);
        else if (event.progress.elapsedMs - told >= LINE_EVERY_MS) {
          told = event.progress.elapsedMs;
          say(line);
        }
        break;
      }
      case 'find':
        found(event.find);
        break;
      case 'note':
        say(oneLine(event.text));
        break;
      case 'end':
        if (live) stream.write(ERASE);
        else if (event.report.progress.schedules > 0)
          say(progressLine({ ...event.report.progress, leftMs: undefined }, schedules));
        break;
    }
  };
}
