import type { Random } from '../../../../mock/generate/random.js';
import { type OperationId, type OperationParameter, operations } from '../../../../spec/generated/operations.js';
import type { Allowance, KeyName } from '../../test-case/test-case.js';
import { NEARLY_RIGHT, TEXT_KINDS } from '../sequence/names.js';
import type { Command, Template } from '../sequence/sequence.js';
import { isThere, KINDS, type Kind, type Thing } from '../sequence/things.js';

/** What a sequence may be about. A sequence keeps to a few of them, so that its requests meet. */
export const FAMILIES = [
  'tasks',
  'sessions',
  'tools',
  'uploads',
  'browsers',
  'chats',
  'workspaces',
  'account',
] as const;
export type Family = (typeof FAMILIES)[number];

type Part = Partial<Command>;
type Make<T> = (draw: Draw, thing: Thing) => T | undefined;

/** How requests of one operation are drawn. */
export interface Row {
  operation: OperationId;
  families: readonly Family[];
  /** The kind of thing that its required parameters name. */
  of?: Kind;
  /** States of that thing in which it is sent; any that is there when left out. */
  states?: readonly string[];
  makes?: Kind;
  /** The plain request, beside the parameters that name the thing. */
  request?: Make<Part>;
  /** Values of optional parameters. */
  optional?: Readonly<Record<string, Make<Template>>>;
  /** Other requests, by what is special about them. */
  variants?: Readonly<Record<string, Make<Part>>>;
  allow?: Allowance;
  /** Default 1. */
  weight?: number;
}

/** How often each operation was sent in each state of its thing, under each condition. */
export class Coverage {
  readonly #seen = new Map<string, number>();
  readonly #possible = new Set<string>();

  static cell(operation: OperationId, state: string, condition: string): string {
    return `${operation} × ${state} × ${condition}`;
  }

  add(cell: string): void {
    this.#seen.set(cell, (this.#seen.get(cell) ?? 0) + 1);
    this.#possible.add(cell);
  }

  /** It could be drawn. */
  offer(cell: string): number {
    this.#possible.add(cell);
    return this.#seen.get(cell) ?? 0;
  }

  get figure(): { cells: number; of: number } {
    return { cells: this.#seen.size, of: this.#possible.size };
  }
}

/** What the next request is drawn from: chance, and what the sequence has made so far. */
export class Draw {
  /** The label of the thing that comes first, where there are several: what happens twice to one thing is rare by chance. */
  focus: string | undefined;
  #words = 0;
  #labels = 0;

  constructor(
    readonly random: Random,
    readonly things: readonly Thing[],
    /** Whose key the sequence has. */
    readonly key: KeyName,
    readonly hasStranger: boolean,
    /** Forms of requests whose fields are open, by operation: the one that the service takes. */
    readonly forms: ReadonlyMap<OperationId, number>,
  ) {}

  chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return this.random.pick(items);
  }

  /** One of those there are. */
  thing(kind: Kind, is: (thing: Thing) => boolean = isThere): Thing | undefined {
    const found = this.things.filter((each) => each.kind === kind && is(each));
    return found.length === 0 ? undefined : this.pick(found);
  }

  /** A text that nothing else has. `role`: what it stands for. */
  word(role: string): string {
    return `{{word.${role}${String(++this.#words).padStart(2, '0')}}}`;
  }

  label(kind: Kind): string {
    return `${kind}${++this.#labels}`;
  }
}

export function ref({ label }: Thing, name: string): string {
  return `{{${label}.${name}}}`;
}

interface Choice {
  condition: string;
  weight: number;
  make: () => Part | undefined;
}

/** Draws a request of the operation; undefined where none can be made now. Conditions that were seen least come first. */
export function drawCommand(row: Row, draw: Draw, coverage: Coverage): Command | undefined {
  const { operation, of, states, makes } = row;
  const thing = of && pickThing(draw, of, states);
  if (of && !thing) return undefined;
  const state = thing?.state ?? '-';
  const choices = choicesOf(row, draw, thing as Thing);
  const weights = choices.map(({ condition, weight }) => {
    return weight / (1 + coverage.offer(Coverage.cell(operation, state, condition)));
  });
  const { condition, make } = choices[weighted(draw.random, weights)]!;
  const part = make();
  if (!part) return undefined;
  const named = thing ? nameThing(operation, thing, part) : part;
  return {
    operation,
    ...(makes && { as: draw.label(makes) }),
    ...(thing && { on: thing.label }),
    ...(operations[operation].auth === 'none' ? { key: null } : draw.key !== 'main' && { key: draw.key }),
    ...named,
    condition,
  };
}

function pickThing(draw: Draw, kind: Kind, states: Row['states']): Thing | undefined {
  const isMeant = (thing: Thing) => isThere(thing) && (!states || states.includes(thing.state));
  const gone = draw.chance(0.2) ? draw.thing(kind, (thing) => !isThere(thing)) : undefined;
  const focused = draw.things.find(({ label }) => label === draw.focus);
  const again = focused?.kind === kind && isMeant(focused) && draw.chance(0.6) ? focused : undefined;
  return gone ?? again ?? draw.thing(kind, isMeant);
}

/** Fills in the required parameters that name the thing, as far as the request does not say otherwise. */
function nameThing(operation: OperationId, thing: Thing, part: Part): Part {
  const named = { path: { ...part.path }, query: { ...part.query }, headers: { ...part.headers } };
  for (const parameter of operations[operation].params as readonly OperationParameter[]) {
    const where = parameter.in === 'header' ? 'headers' : parameter.in;
    if (!parameter.required || parameter.name in named[where]) continue;
    named[where][parameter.name] = ref(thing, parameter.name);
  }
  const filled = Object.entries(named).filter(([, fields]) => Object.keys(fields).length > 0);
  return { ...part, ...Object.fromEntries(filled) };
}

function choicesOf(row: Row, draw: Draw, thing: Thing): Choice[] {
  const { operation, request = (): Part => ({}), variants = {}, optional = {} } = row;
  const base = () => request(draw, thing);
  const sample = base();
  const withPart = (part: Part | undefined): Part | undefined => {
    const own = part && base();
    return own && { ...own, ...part };
  };
  const choices: Choice[] = [{ condition: 'plain', weight: 5, make: base }];
  for (const [condition, make] of Object.entries(variants))
    choices.push({ condition, weight: 3, make: () => make(draw, thing) });
  choices.push(...optionalChoices(operation, optional, draw, thing, base));
  if (operations[operation].auth !== 'none') {
    choices.push(
      { condition: 'without a key', weight: 0.12, make: () => withPart({ key: null, invalid: 'AUTH-05' }) },
      {
        condition: 'unknown key',
        weight: 0.12,
        make: () => withPart({ key: 'unknown', invalid: 'AUTH-06' }),
      },
      { condition: 'key in a cookie', weight: 0.12, make: () => withPart({ keyIn: 'cookie' }) },
      {
        condition: 'key in the second cookie',
        weight: 0.1,
        make: () => withHeaders(base(), { cookie: 'theme=dark' }, { keyIn: 'cookie', accepted: 'AUTH-03' }),
      },
      {
        condition: 'with a cookie of something else',
        weight: 0.1,
        make: () => withHeaders(base(), { cookie: 'theme=dark' }, { accepted: 'AUTH-02' }),
      },
    );
  }
  if (sample?.body !== undefined)
    choices.push({
      condition: 'content type with a charset',
      weight: 0.2,
      make: () =>
        withHeaders(
          base(),
          { 'content-type': 'application/json; charset=utf-8' },
          { accepted: 'SERVICE-02' },
        ),
    });
  if (JSON.stringify(sample)?.includes('{{word.'))
    for (const kind of TEXT_KINDS)
      choices.push({ condition: `${kind} text`, weight: 1.5, make: () => withTexts(base(), kind) });
  if (row.of) choices.push(...astrayChoices(row, draw, thing, base));
  else if (operations[operation].method === 'GET' && draw.hasStranger && draw.key === 'main')
    choices.push({
      condition: 'key of another organisation',
      weight: 1,
      make() {
        const query = Object.entries(optional).flatMap(([name, value]) => {
          const drawn = draw.chance(0.5) ? value(draw, thing) : undefined;
          return drawn === undefined ? [] : [[name, drawn] as const];
        });
        return withPart({ key: 'other', astray: 'stranger', query: Object.fromEntries(query) });
      },
    });
  return choices;
}

function withHeaders(
  part: Part | undefined,
  headers: Readonly<Record<string, string>>,
  more: Part,
): Part | undefined {
  return part && { ...part, ...more, headers: { ...part.headers, ...headers } };
}

/** The same with texts of another kind. Which ones a service takes is open; what it takes it keeps as it is. */
function withTexts(part: Part | undefined, kind: string): Part | undefined {
  if (!part) return undefined;
  const text = JSON.stringify(part).replace(/\{\{word\.([a-z]+)(\d+)/g, `{{word.$1_${kind}$2`);
  return { ...(JSON.parse(text) as Part), open: true };
}

/** Each optional parameter alone, some of them together, and beyond its bounds. */
function optionalChoices(
  operation: OperationId,
  optional: NonNullable<Row['optional']>,
  draw: Draw,
  thing: Thing,
  base: () => Part | undefined,
): Choice[] {
  const names = Object.keys(optional);
  const withQuery = (query: Record<string, Template | undefined>): Part | undefined => {
    const own = base();
    if (!own || Object.values(query).includes(undefined)) return undefined;
    const accepted = operation === 'listTasks' && 'l' in query ? 'LIMIT-02' : own.accepted;
    const all = { ...own.query, ...(query as Record<string, Template>) };
    return { ...own, query: all, ...(accepted && { accepted }) };
  };
  const choices = names.map(
    (name): Choice => ({
      condition: `with ${name}`,
      weight: 3,
      make: () => withQuery({ [name]: optional[name]!(draw, thing) }),
    }),
  );
  if (names.length > 1) {
    const make = () =>
      withQuery(Object.fromEntries(names.map((name) => [name, optional[name]!(draw, thing)])));
    choices.push({ condition: `with ${names.join(' and ')}`, weight: 4, make });
  }
  for (const { name, in: where, type, minimum, maximum } of operations[operation]
    .params as readonly OperationParameter[]) {
    if (where !== 'query') continue;
    const invalid = (value: Template, condition: string, requirement: Command['invalid'] = 'ERROR-01') => {
      const make = () => {
        const part = withQuery({ [name]: value });
        return part && { ...part, invalid: requirement };
      };
      choices.push({ condition, weight: 0.2, make });
    };
    const bound = operation === 'listTasks' ? 'LIMIT-02' : 'ERROR-01';
    if (minimum !== undefined) invalid(minimum - 1, `${name} too small`, bound);
    if (maximum !== undefined) invalid(maximum + 1, `${name} too large`, bound);
    if (type === 'integer' || type === 'boolean') invalid('x', `${name} of another type`);
    if (type === 'integer') invalid('3abc', `${name} that begins with a number`);
  }
  const typed = (operations[operation].params as readonly OperationParameter[]).filter(
    ({ in: where, type }) => where === 'query' && type !== 'string',
  );
  if (typed.length > 1)
    choices.push({
      condition: 'several parameters of another type',
      weight: 0.2,
      make() {
        const part = withQuery(Object.fromEntries(typed.map(({ name }) => [name, 'x'])));
        return part && { ...part, invalid: 'ERROR-01' };
      },
    });
  return choices;
}

/** Requests that do not get to the thing: a nearly right id, the key of another organisation, another workspace. */
function astrayChoices(
  { operation, of }: Row,
  draw: Draw,
  thing: Thing,
  base: () => Part | undefined,
): Choice[] {
  const within: readonly string[] =
    'within' in KINDS[of!] ? (KINDS[of!] as { within: readonly string[] }).within : [];
  const parameters = (operations[operation].params as readonly OperationParameter[]).filter(
    ({ name, required }) => required && !within.includes(name) && isNameOf(of!, name),
  );
  const naming = (value: (name: string) => string): Part | undefined => {
    const part = base();
    if (!part || parameters.length === 0) return undefined;
    const { name, in: where } = draw.pick(parameters);
    const place = where === 'header' ? 'headers' : where;
    return { ...part, [place]: { ...part[place], [name]: value(name) }, astray: 'similar' };
  };
  const choices = NEARLY_RIGHT.map(
    (how): Choice => ({
      condition: `similar id: ${how}`,
      weight: 0.35,
      make: () => naming((name) => `{{${thing.label}.${name}|${how}}}`),
    }),
  );
  if (draw.hasStranger && draw.key === 'main' && operations[operation].auth !== 'none')
    choices.push({
      condition: 'key of another organisation',
      weight: 1,
      make: () => {
        const part = base();
        return part && { ...part, key: 'other', astray: 'stranger' };
      },
    });
  if (within.includes('workspace-id'))
    choices.push({
      condition: 'in another workspace',
      weight: 1,
      make: () => {
        const part = base();
        const other = draw.thing('workspace', ({ label }) => label !== thing.workspace);
        if (!part || !other) return undefined;
        return {
          ...part,
          headers: { ...part.headers, 'workspace-id': ref(other, 'workspace-id') },
          astray: 'elsewhere',
        };
      },
    });
  return choices;
}

/** Parameters that hold an id of such a thing, beside those of what it is in. */
function isNameOf(kind: Kind, parameter: string): boolean {
  return parameter === KINDS[kind].id || parameter.endsWith('id') || parameter === 't';
}

/** Index of one of the weights, drawn with a chance in proportion to it. */
export function weighted(random: Random, weights: readonly number[]): number {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  return weights.length - 1;
}
