import {
  type OperationId,
  type OperationParameter,
  operations,
} from '../../../../spec/generated/operations.js';
import { TEXT_KINDS } from '../sequence/names.js';
import type { Command, Template } from '../sequence/sequence.js';
import { isThere, type Kind, type Thing } from '../sequence/things.js';
import { astrayChoices } from './astray.js';
import { type Choice, countNew, type Draw, type Part, type Row, ref, weighted } from './draw.js';

/** How much likelier a request is after what no other was drawn after. */
const NEW_PAIR = 2;

/** Draws a request of the operation; undefined where none can be made now. Conditions that were seen least come first. */
export function drawCommand(row: Row, draw: Draw): Command | undefined {
  const { operation, of, states, makes } = row;
  const { coverage } = draw;
  const thing = of && pickThing(draw, of, states);
  if (of && !thing) return undefined;
  const state = thing?.state ?? '-';
  const choices = choicesOf(row, draw, thing as Thing);
  const before = draw.doneTo(thing?.label ?? '');
  const counts = coverage.counts(operation, state);
  const pairs = coverage.pairs(operation);
  const weights = choices.map(({ condition, weight }) => {
    const seen = counts.get(condition) ?? 0;
    if (seen === 0) counts.set(condition, 0);
    return (weight * (1 + NEW_PAIR * countNew(before, pairs.get(condition)))) / (1 + seen);
  });
  const choice = choices[weighted(draw.random, weights)]!;
  const { part, condition } = withOptional(row, draw, thing as Thing, choice);
  if (!part) return undefined;
  const named = thing ? nameThing(operation, thing, part) : part;
  const key = thing?.key ?? draw.key;
  return {
    operation,
    ...(makes && { as: draw.label(makes) }),
    ...(thing && { on: thing.label }),
    ...(operations[operation].auth === 'none' ? { key: null } : key !== 'main' && { key }),
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
export function nameThing(operation: OperationId, thing: Thing, part: Part = {}): Part {
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
  if (operations[operation].auth === 'none')
    choices.push({ condition: 'with a key', weight: 0.6, make: () => withPart({ key: draw.key }) });
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
  const others = () => Object.values(variants).map((make) => () => make(draw, thing));
  const withText = hasText(sample) ? [base] : others().filter((make) => hasText(make()));
  if (withText.length > 0)
    for (const kind of TEXT_KINDS)
      choices.push({
        condition: `${kind} text`,
        weight: 1.5,
        make: () => withTexts(draw.pick(withText)(), kind),
      });
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

function hasText(part: Part | undefined): boolean {
  return part?.invalid === undefined && JSON.stringify(part)?.includes('{{word.') === true;
}

/** The same with texts of another kind. Which ones a service takes is open; what it takes it keeps as it is. */
function withTexts(part: Part | undefined, kind: string): Part | undefined {
  if (!part) return undefined;
  const text = JSON.stringify(part).replace(/\{\{word\.([a-z]+)(\d+)/g, `{{word.$1_${kind}$2`);
  return { ...(JSON.parse(text) as Part), open: true };
}

/** Now and then an optional parameter comes with what is special about the request otherwise. */
function withOptional(
  { optional = {} }: Row,
  draw: Draw,
  thing: Thing,
  { condition, make }: Choice,
): { part: Part | undefined; condition: string } {
  const part = make();
  const names = Object.keys(optional).filter((name) => part?.query?.[name] === undefined);
  if (!part || part.invalid !== undefined || names.length === 0 || !draw.chance(0.2))
    return { part, condition };
  const name = draw.pick(names);
  const value = optional[name]!(draw, thing);
  if (value === undefined) return { part, condition };
  const more = condition === 'plain' ? `with ${name}` : `${condition} with ${name}`;
  return { part: { ...part, query: { ...part.query, [name]: value } }, condition: more };
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
