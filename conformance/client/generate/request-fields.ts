import type { Random } from '../../../mock/generate/random.js';
import type { ActionPart } from './plan.js';
import { drawObject, drawText, drawValue } from './values.js';

const URLS = [
  'https://example.com',
  'https://example.com/a%20b/?x=1&x=2&empty=#part',
  'https://user@example.com:8443/%E4%B8%AD?q=%C3%A9+1',
  'http://127.0.0.1:8080/index.html?redirect=https%3A%2F%2Fexample.org',
];

function drawUrl(random: Random): string {
  return random.pick(URLS);
}

type FieldGenerator = (random: Random) => unknown;

const drawFlag: FieldGenerator = (random) => random.pick([true, false]);

/** Possible values of each request field except `task` and `custom_tools`. Null is equivalent to an absent field. */
const FIELDS: Readonly<Record<string, FieldGenerator>> = {
  url: drawUrl,
  device: (random) => random.pick(['mobile', 'desktop-lg', 'desktop']),
  profile_id: (random) => random.pick(['p', 'P', 'profile 1', '0']),
  files: (random) => random.pick([['file-1'], ['file-1', 'file-10', 'FILE-1'], ['0']]),
  metadata: drawMetadata,
  agent: (random) => random.pick(['smooth-lite', 'smooth']),
  max_steps: (random) => random.pick([2, 3, 127, 128]),
  allowed_urls: (random) =>
    random.pick([['https://example.com/*'], ['https://a.example', 'https://A.example/']]),
  extensions: (random) => random.pick([['extension-1'], ['extension-1', 'extension-11']]),
  proxy_server: (random) => random.pick(['http://proxy.example:3128', 'socks5://[::1]:1080']),
  proxy_username: (random) => random.pick(['user', 'us:er@x', '0']),
  proxy_password: (random) => random.pick(['p%40ss word', 'null', '日本']),
  enable_recording: drawFlag,
  profile_read_only: drawFlag,
  show_cursor: drawFlag,
  stealth_mode: drawFlag,
  use_stealth: drawFlag,
  use_adblock: drawFlag,
  use_captcha_solver: drawFlag,
  certificates: (random) => [{ file: 'Y2VydA==', password: random.pick(['', 'p w', null]) }],
  additional_tools: (random) => ({ search: null, fetch: drawObject(random) }),
  experimental_features: (random) => drawObject(random),
  session_id: () => 's-1',
};

const FIELD_NAMES = Object.keys(FIELDS);
/** The chance of a field in a turn of another. */
const OTHER = 0.06;

/** Number of turns: each field once, then all of them. */
export const FIELD_TURNS = FIELD_NAMES.length + 1;

/** The field of this turn and occasionally others; in one turn all of them. */
export function drawFields(random: Random, turn: number): Record<string, unknown> {
  const isAll = turn % FIELD_TURNS === FIELD_NAMES.length;
  const fields: Record<string, unknown> = {};
  for (const [index, name] of FIELD_NAMES.entries()) {
    const isDrawn = isAll || turn % FIELD_TURNS === index || random.next() < OTHER;
    if (isDrawn) fields[name] = FIELDS[name]!(random);
    else if (random.next() < OTHER / 2) fields[name] = null;
  }
  return fields;
}

const LONGEST_IN_METADATA = 500;

/** At most 16 strings, numbers and booleans. */
function drawMetadata(random: Random): Record<string, unknown> {
  const isPlain = (value: unknown) =>
    typeof value === 'number' || typeof value === 'boolean' || String(value).length <= LONGEST_IN_METADATA;
  const drawn = Object.entries(drawObject(random)).map(([name, value]) => [
    name,
    value !== null && typeof value !== 'object' && isPlain(value)
      ? value
      : random.pick(['', '0', 'two words']),
  ]);
  return { ...Object.fromEntries(drawn), empty: '', zero: 0, no: false };
}

const PLAIN_TASK = 'Do what the tools are for, then say that it is done.';

export function drawTask(random: Random): string {
  const text = random.next() < 0.5 ? '' : drawText(random);
  return text.trim() === '' ? PLAIN_TASK : text;
}

type DrawnAction = Pick<ActionPart, 'input' | 'isStructured'> & { output: unknown };

/** Input of an action that is valid by the API, and the output of a successful result. */
export const ACTION_DRAWS: Readonly<Record<ActionPart['name'], (random: Random) => DrawnAction>> = {
  goto: (random) => ({ input: { url: drawUrl(random) }, output: null }),
  extract: (random) => ({
    input: random.pick([{}, { prompt: null }, { prompt: '' }, { prompt: drawText(random) }]),
    output: drawObject(random),
  }),
  evaluate_js(random) {
    const args = random.pick([
      {},
      { args: null },
      { args: drawValue(random) },
      { args: random.pick([0, false, '', [], {}]) },
    ]);
    const comment = random.pick(['', '// one\n', '/* a */ ']);
    const js = `${comment}return ${JSON.stringify(drawText(random))}`;
    return { input: { js, ...args }, output: drawValue(random) };
  },
  run_task(random) {
    const steps = random.pick([{}, { max_steps: 2 }, { max_steps: 128 }]);
    const more = random.pick([
      {},
      { url: drawUrl(random) },
      { metadata: { a: '', b: 0, c: false } },
      { secrets: {} },
    ]);
    const input = { task: drawTask(random), ...steps, ...more };
    return random.next() < 0.4
      ? { input, isStructured: true, output: drawObject(random) }
      : { input, output: drawText(random) };
  },
};
