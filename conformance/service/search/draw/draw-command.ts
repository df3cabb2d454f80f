import {
  type OperationId,
  type OperationParameter,
  operations,
} from '../../../../spec/generated/operations.js';
import { type CommandBuilder, listForms } from '../../operations/definitions.js';
import { type CommandFields, drawFields } from '../../operations/operation.js';
import type { ResourceName } from '../../operations/resources.js';
import { TEXT_KINDS } from '../sequence/names.js';
import { fillResourceNames, isPresent, type Resource } from '../sequence/resources.js';
import type { Command, Template } from '../sequence/sequence.js';
import { type CommandChoice, countNew, type DrawContext, formatReference, pickWeighted } from './draw.js';
import { listMisdirectedChoices } from './misdirected.js';

/** Factor by which a request is more likely for each operation that it has not followed yet. */
const NEW_PAIR = 2;

/** Draws a request of the operation; undefined if none is possible now. Rarely used conditions are preferred. */
export function drawCommand(builder: CommandBuilder, draw: DrawContext): Command | undefined {
  const { operation, of, states, makes } = builder;
  const { coverage } = draw;
  const resource = of && pickResource(draw, of, states);
  if (of && !resource) return undefined;
  const state = resource?.state ?? '-';
  const choices = listChoices(builder, draw, resource as Resource);
  const before = draw.readDone(resource?.label ?? '');
  const counts = coverage.getCounts(operation, state);
  const pairs = coverage.getPairs(operation);
  const weights = choices.map(({ condition, weight }) => {
    const seen = counts.get(condition) ?? 0;
    if (seen === 0) counts.set(condition, 0);
    return (weight * (1 + NEW_PAIR * countNew(before, pairs.get(condition)))) / (1 + seen);
  });
  const choice = choices[pickWeighted(draw.random, weights)]!;
  const { fields, condition } = addOptional(builder, draw, resource as Resource, choice);
  if (!fields) return undefined;
  const named = resource ? fillResourceNames(operation, resource, fields) : fields;
  const key = resource?.key ?? draw.key;
  return {
    operation,
    ...(makes && { as: draw.createLabel(makes) }),
    ...(resource && { on: resource.label }),
    ...(operations[operation].auth === 'none' ? { key: null } : key !== 'main' && { key }),
    ...named,
    condition,
  };
}

function pickResource(
  draw: DrawContext,
  kind: ResourceName,
  states: CommandBuilder['states'],
): Resource | undefined {
  const isMeant = (resource: Resource) => isPresent(resource) && (!states || states.includes(resource.state));
  const gone = draw.drawBoolean(0.2) ? draw.pickGone(kind) : undefined;
  const focused = draw.resources.find(({ label }) => label === draw.focus);
  const again = focused?.kind === kind && isMeant(focused) && draw.drawBoolean(0.6) ? focused : undefined;
  return gone ?? again ?? draw.pickResource(kind, isMeant);
}

function listChoices(builder: CommandBuilder, draw: DrawContext, resource: Resource): CommandChoice[] {
  const { operation, plain, variants = {}, optional = {} } = builder;
  const names = new Proxy({}, { get: (_, name) => formatReference(resource, String(name)) });
  const base = () =>
    plain ? drawFields(plain, draw, resource) : draw.pickForm(operation, listForms(operation, draw, names));
  const sample = base();
  const mergeFields = (fields: CommandFields | undefined): CommandFields | undefined => {
    const own = fields && base();
    return own && { ...own, ...fields };
  };
  const choices: CommandChoice[] = [{ condition: 'plain', weight: 5, make: base }];
  for (const [condition, make] of Object.entries(variants))
    choices.push({ condition, weight: 3, make: () => drawFields(make, draw, resource) });
  choices.push(...listOptionalChoices(operation, optional, draw, resource, base));
  if (operations[operation].auth !== 'none') {
    choices.push(
      {
        condition: 'without a key',
        weight: 0.12,
        make: () => mergeFields({ key: null, invalid: 'AUTH-05' }),
      },
      {
        condition: 'unknown key',
        weight: 0.12,
        make: () => mergeFields({ key: 'unknown', invalid: 'AUTH-06' }),
      },
      { condition: 'key in a cookie', weight: 0.12, make: () => mergeFields({ keyIn: 'cookie' }) },
      {
        condition: 'key in the second cookie',
        weight: 0.1,
        make: () => addHeaders(base(), { cookie: 'theme=dark' }, { keyIn: 'cookie', accepted: 'AUTH-03' }),
      },
      {
        condition: 'with a cookie of something else',
        weight: 0.1,
        make: () => addHeaders(base(), { cookie: 'theme=dark' }, { accepted: 'AUTH-02' }),
      },
    );
  }
  if (operations[operation].auth === 'none')
    choices.push({ condition: 'with a key', weight: 0.6, make: () => mergeFields({ key: draw.key }) });
  if (sample?.body !== undefined)
    choices.push({
      condition: 'content type with a charset',
      weight: 0.2,
      make: () =>
        addHeaders(base(), { 'content-type': 'application/json; charset=utf-8' }, { accepted: 'SERVICE-02' }),
    });
  const listOthers = () => Object.values(variants).map((make) => () => drawFields(make, draw, resource));
  const textMakers = hasText(sample) ? [base] : listOthers().filter((make) => hasText(make()));
  if (textMakers.length > 0)
    for (const kind of TEXT_KINDS)
      choices.push({
        condition: `${kind} text`,
        weight: 1.5,
        make: () => replaceTexts(draw.pick(textMakers)(), kind),
      });
  if (builder.of) choices.push(...listMisdirectedChoices(builder, draw, resource, base));
  else if (operations[operation].method === 'GET' && draw.hasStranger && draw.key === 'main')
    choices.push({
      condition: 'key of another organisation',
      weight: 1,
      make() {
        const query = Object.entries(optional).flatMap(([name, value]) => {
          const drawn = draw.drawBoolean(0.5) ? value(draw, resource) : undefined;
          return drawn === undefined ? [] : [[name, drawn] as const];
        });
        return mergeFields({ key: 'other', astray: 'stranger', query: Object.fromEntries(query) });
      },
    });
  return choices;
}

function addHeaders(
  fields: CommandFields | undefined,
  headers: Readonly<Record<string, string>>,
  more: CommandFields,
): CommandFields | undefined {
  return fields && { ...fields, ...more, headers: { ...fields.headers, ...headers } };
}

function hasText(fields: CommandFields | undefined): boolean {
  return fields?.invalid === undefined && JSON.stringify(fields)?.includes('{{word.') === true;
}

/**
 * The same request with another kind of text. A service may reject such texts; those that it accepts it has to keep unchanged.
 */
function replaceTexts(fields: CommandFields | undefined, kind: string): CommandFields | undefined {
  if (!fields) return undefined;
  const text = JSON.stringify(fields).replace(/\{\{word\.([a-z]+)(\d+)/g, `{{word.$1_${kind}$2`);
  return { ...(JSON.parse(text) as CommandFields), open: true };
}

/** Sometimes adds an optional parameter to the condition that was chosen. */
function addOptional(
  { optional = {} }: CommandBuilder,
  draw: DrawContext,
  resource: Resource,
  { condition, make }: CommandChoice,
): { fields: CommandFields | undefined; condition: string } {
  const fields = make();
  const names = Object.keys(optional).filter((name) => fields?.query?.[name] === undefined);
  if (!fields || fields.invalid !== undefined || names.length === 0 || !draw.drawBoolean(0.2))
    return { fields, condition };
  const name = draw.pick(names);
  const value = optional[name]!(draw, resource);
  if (value === undefined) return { fields, condition };
  const more = condition === 'plain' ? `with ${name}` : `${condition} with ${name}`;
  return { fields: { ...fields, query: { ...fields.query, [name]: value } }, condition: more };
}

/** Each optional parameter alone, several together, and values out of range. */
function listOptionalChoices(
  operation: OperationId,
  optional: NonNullable<CommandBuilder['optional']>,
  draw: DrawContext,
  resource: Resource,
  base: () => CommandFields | undefined,
): CommandChoice[] {
  const names = Object.keys(optional);
  const addQuery = (query: Record<string, Template | undefined>): CommandFields | undefined => {
    const own = base();
    if (!own || Object.values(query).includes(undefined)) return undefined;
    const accepted = operation === 'listTasks' && 'l' in query ? 'LIMIT-02' : own.accepted;
    const all = { ...own.query, ...(query as Record<string, Template>) };
    return { ...own, query: all, ...(accepted && { accepted }) };
  };
  const choices = names.map(
    (name): CommandChoice => ({
      condition: `with ${name}`,
      weight: 3,
      make: () => addQuery({ [name]: optional[name]!(draw, resource) }),
    }),
  );
  if (names.length > 1) {
    const make = () =>
      addQuery(Object.fromEntries(names.map((name) => [name, optional[name]!(draw, resource)])));
    choices.push({ condition: `with ${names.join(' and ')}`, weight: 4, make });
  }
  for (const { name, in: where, type, minimum, maximum } of operations[operation]
    .params as readonly OperationParameter[]) {
    if (where !== 'query') continue;
    const addInvalid = (value: Template, condition: string, requirement: Command['invalid'] = 'ERROR-01') => {
      const make = () => {
        const fields = addQuery({ [name]: value });
        return fields && { ...fields, invalid: requirement };
      };
      choices.push({ condition, weight: 0.2, make });
    };
    const bound = operation === 'listTasks' ? 'LIMIT-02' : 'ERROR-01';
    if (minimum !== undefined) addInvalid(minimum - 1, `${name} too small`, bound);
    if (maximum !== undefined) addInvalid(maximum + 1, `${name} too large`, bound);
    if (type === 'integer' || type === 'boolean') addInvalid('x', `${name} of another type`);
    if (type === 'integer') addInvalid('3abc', `${name} that begins with a number`);
  }
  const typed = (operations[operation].params as readonly OperationParameter[]).filter(
    ({ in: where, type }) => where === 'query' && type !== 'string',
  );
  if (typed.length > 1)
    choices.push({
      condition: 'several parameters of another type',
      weight: 0.2,
      make() {
        const fields = addQuery(Object.fromEntries(typed.map(({ name }) => [name, 'x'])));
        return fields && { ...fields, invalid: 'ERROR-01' };
      },
    });
  return choices;
}
