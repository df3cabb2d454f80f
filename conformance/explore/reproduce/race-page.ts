import { existsSync, readFileSync, statSync } from 'node:fs';
import { buildSequenceLines } from '../../../scenarios/format/draw.js';
import { InvalidFile } from '../../../scenarios/format/invalid-file.js';
import { loadScenarios } from '../../../scenarios/format/load/load.js';
import { describeRule } from '../../../scenarios/format/network/rule.js';
import type { SequenceLine } from '../../../scenarios/format/sequence-diagram.js';
import { readCommandName } from '../../common/command-name.js';
import { quoteShellWord } from '../../common/shell.js';
import { formatDefect } from '../causes/titles.js';
import { isDeviation } from '../schedule/schedule.js';
import type { Race } from './race.js';

/** A failure found by `explore`, with its runs: data of a studio page. */
export interface RacePage {
  kind: 'race';
  title: string;
  race: Race;
}

/** A failure of a scenario file without runs. */
export interface RaceScenarioPage {
  kind: 'race-scenario';
  title: string;
  /** The defect in a few words, and the title of the scenario. */
  defect: string;
  scenario: string;
  /** The broken rule and its subject: `replies/outcome first`. */
  failure: string;
  deviations: string[];
  lines: SequenceLine[];
  /** The command that runs it and writes the runs next to it. */
  again: string;
}

/** The scenario file in a command that repeats it. */
const NAMED_FILE = /(--replay|--scenario) (?:'[^']*'|\S+)/;

export function formatRunsPath(scenarioFile: string): string {
  return `${scenarioFile.replace(/\.(ya?ml|json)$/, '')}.runs.json`;
}

/** The command that shows the race of a scenario file step by step. */
export function formatViewCommand(scenarioFile: string): string {
  return `${readCommandName()} view ${quoteShellWord(scenarioFile)}`;
}

/** The page of NAME.runs.json, or of NAME.yaml with or without NAME.runs.json. `notes`: missing data, in sentences. Throws InvalidFile. */
export async function readRacePage(
  file: string,
): Promise<{ page: RacePage | RaceScenarioPage; notes: string[] }> {
  if (file.endsWith('.json')) return { page: readRuns(file), notes: [] };
  const { scenarios, problems } = await loadScenarios([file]);
  const [scenario] = scenarios;
  if (!scenario || problems.length > 0) throw new InvalidFile(problems);
  if (scenario.reproduces === undefined)
    throw createInvalidFile(
      file,
      'expected a race that explore has found, found a scenario without "reproduces"',
    );
  const { failure } = scenario.reproduces;
  const runs = formatRunsPath(file);
  if (existsSync(runs)) return { page: readRuns(runs), notes: [] };
  const written = /^# To see it again: (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  const line = written ?? `${readCommandName()} explore --replay FILE -- COMMAND`;
  // The file may have been moved since, for example as a CI artifact.
  const again = line.replace(NAMED_FILE, (_, option) => `${option} ${quoteShellWord(file)}`);
  const page: RaceScenarioPage = {
    kind: 'race-scenario',
    title: file,
    defect: formatDefect({ rule: failure.split(' ')[0]! }),
    scenario: scenario.title.replace(`: ${failure}`, ''),
    failure,
    deviations: scenario.timeline.flatMap((step) => {
      if (!isDeviation(step)) return [];
      const { id: _, line: __, ...rule } = step;
      return [describeRule(rule)];
    }),
    lines: buildSequenceLines(scenario),
    again,
  };
  return { page, notes: [`${file}: its runs are not in ${runs}; this writes them: ${again}`] };
}

/** The runs beside a scenario file; undefined if there are none, or if they are larger than `mostBytes`. */
export function readRunsBeside(scenarioFile: string, mostBytes: number): Race | undefined {
  const path = formatRunsPath(scenarioFile);
  try {
    return statSync(path).size > mostBytes ? undefined : readRuns(path).race;
  } catch {
    return undefined;
  }
}

function readRuns(file: string): RacePage {
  let race: Race;
  try {
    race = JSON.parse(readFileSync(file, 'utf8')) as Race;
  } catch (error) {
    throw createInvalidFile(file, (error as Error).message);
  }
  // The page relies on the format that explore writes.
  if (race.kind !== 'race' || !Array.isArray(race.bad?.lines))
    throw createInvalidFile(file, 'expected the runs of a race, as explore writes them');
  return { kind: 'race', title: `${race.title} · ${race.name}`, race };
}

function createInvalidFile(file: string, message: string): InvalidFile {
  return new InvalidFile([{ file, line: 1, column: 1, message }]);
}
