import { nearest } from '../spec/nearest.js';
import { CLOCK_MODES, type ClockMode } from './engine/clock.js';
import type { CreateMockOptions } from './interface.js';

type Check = { expected: string; holds: (value: unknown) => boolean };

const anything: Check = { expected: 'a value', holds: () => true };
const functionCheck: Check = { expected: 'a function', holds: (value) => typeof value === 'function' };
const textCheck: Check = { expected: 'a text', holds: (value) => typeof value === 'string' };
const positive = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value > 0;

/** Every option of `createMock`: one that is missing here does not compile. What files and rules hold is checked where they are read. */
const OPTIONS: Record<keyof Required<CreateMockOptions>, Check> = {
  seed: {
    expected: 'a text or a number',
    holds: (value) => typeof value === 'string' || typeof value === 'number',
  },
  clock: {
    expected: 'real, manual, skipping or eager',
    holds: (value) => CLOCK_MODES.includes(value as ClockMode),
  },
  speed: { expected: 'a number above 0', holds: positive },
  start_ms: { expected: 'a whole number of ms', holds: Number.isSafeInteger },
  scenarios: { expected: 'a list of scenarios or paths', holds: Array.isArray },
  library: { expected: 'true or false', holds: (value) => typeof value === 'boolean' },
  dialect: anything,
  network: anything,
  fixtures: anything,
  limits: { expected: 'an object', holds: (value) => typeof value === 'object' && value !== null },
  origin: { expected: 'an address such as http://mock:4010', holds: isOrigin },
  wall: functionCheck,
  timers: {
    expected: 'an object with set and clear',
    holds: (value) => typeof value === 'object' && value !== null,
  },
  admin_token: textCheck,
  judge: functionCheck,
  light_responses: { expected: 'true or false', holds: (value) => typeof value === 'boolean' },
  onNote: functionCheck,
  onFault: functionCheck,
  onExchange: functionCheck,
  onRecord: functionCheck,
  onTrace: functionCheck,
};

/** Stands in JSON as it is. */
function isOrigin(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[^\s"\\]+$/.test(value) && URL.canParse(value);
}

/** Throws TypeError for an option that does not exist or cannot be: what is only ignored would be found out late. */
export function checkOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      const meant = nearest(name, Object.keys(OPTIONS));
      const advice = meant ? `did you mean "${meant}"?` : `there are ${Object.keys(OPTIONS).join(', ')}.`;
      throw new TypeError(`createMock: there is no option "${name.slice(0, 80)}"; ${advice}`);
    }
    if (value === undefined) continue;
    const { expected, holds } = OPTIONS[name as keyof typeof OPTIONS];
    if (!holds(value)) {
      throw new TypeError(
        `createMock: option "${name}": expected ${expected}, got ${JSON.stringify(value) ?? typeof value}.`,
      );
    }
  }
}
