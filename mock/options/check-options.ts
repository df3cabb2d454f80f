import type { Timers } from '../clock/wake-up-timer.js';
import { CLOCK_MODES, type ClockMode } from '../engine/clock.js';
import type { JournalQuery } from '../journal/query.js';
import type { ReplayOptions } from '../journal/replay/replay-mock.js';
import {
  anything,
  type Checks,
  checkGiven,
  flagCheck,
  functionCheck,
  isFrom,
  objectOf,
  textCheck,
  wholeFrom,
} from './check-fields.js';
import { rulesCheck } from './check-rules.js';
import type { GateTarget, ListenOptions, MockLimits, MockOptions } from './mock-options.js';

const atLeastOne = wholeFrom(1);

const LIMITS: Checks<MockLimits> = {
  exchanges: atLeastOne,
  journalCharacters: atLeastOne,
  organisations: atLeastOne,
  finishedTasks: atLeastOne,
  activeTasks: atLeastOne,
  eventsPerTask: atLeastOne,
  records: atLeastOne,
};

const TIMERS: Checks<Timers> = { set: functionCheck, clear: functionCheck };

const origin = { expected: 'an address such as http://mock:4010', holds: isOrigin };

/** Of `createMock`. What files, scenarios, fixtures and choices hold is checked where they are read. */
const OPTIONS: Checks<MockOptions> = {
  seed: {
    expected: 'a text or a number',
    holds: (value) => typeof value === 'string' || typeof value === 'number',
  },
  clock: {
    expected: 'real, manual, skipping or eager',
    holds: (value) => CLOCK_MODES.includes(value as ClockMode),
  },
  speed: {
    expected: 'a number above 0',
    holds: (value) => value !== Infinity && isFrom(0, value) && value !== 0,
  },
  startMs: { expected: 'a whole number of ms', holds: Number.isSafeInteger },
  scenarios: { expected: 'a list of scenarios or paths', holds: Array.isArray },
  library: flagCheck,
  dialect: anything,
  network: rulesCheck,
  fixtures: anything,
  limits: objectOf(LIMITS),
  origin,
  wall: functionCheck,
  timers: objectOf(TIMERS, 'an object with set and clear'),
  adminToken: textCheck,
  judge: functionCheck,
  lightResponses: flagCheck,
  onNote: functionCheck,
  onFault: functionCheck,
  onExchange: functionCheck,
  onRecord: functionCheck,
  onTrace: functionCheck,
};

const LISTEN: Checks<ListenOptions> = {
  port: {
    expected: 'a whole number from 0 to 65535',
    holds: (value) => Number.isInteger(value) && isFrom(0, value) && (value as number) <= 65_535,
  },
  host: textCheck,
};

const QUERY: Checks<JournalQuery> = {
  key: textCheck,
  task: textCheck,
  kind: textCheck,
  since: wholeFrom(0),
  limit: wholeFrom(0),
};

const GATE: Checks<GateTarget> = { task: textCheck, key: textCheck };

const REPLAY: Checks<ReplayOptions> = {
  origin,
  adminToken: textCheck,
  onRecord: functionCheck,
  onNote: functionCheck,
  onFault: functionCheck,
};

/** Stands in JSON as it is. */
function isOrigin(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[^\s"\\]+$/.test(value) && URL.canParse(value);
}

// Each throws TypeError for an option that does not exist or cannot be.
export const checkOptions = (given: unknown, caller = 'createMock') => checkGiven(caller, given, OPTIONS);
export const checkListen = (given: unknown, caller = 'mock.listen') => checkGiven(caller, given, LISTEN);
export const checkQuery = (given: unknown) => checkGiven('mock.journal', given, QUERY);
export const checkGate = (given: unknown) => checkGiven('mock.openGate', given, GATE);
export const checkReplay = (given: unknown) => checkGiven('replayMock', given, REPLAY);
