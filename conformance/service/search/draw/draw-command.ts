import {
  type OperationId,
  type OperationParameter,
  operations,
} from '../../../../spec/generated/operations.js';
import { INTEGER_TEXTS, JSON_MEDIA_TYPES, LARGE_INTEGERS } from '../../../common/interesting-values.js';
import type { Command, Template } from '../../operations/command.js';
import { type CommandBuilder, listForms } from '../../operations/definitions.js';
import { isPresent, type Resource } from '../../operations/observed.js';
import { type CommandFields, drawFields, formatReference } from '../../operations/operation.js';
import type { ResourceName } from '../../operations/resources.js';
import { TEXT_KINDS } from '../sequence/names.js';
import { createCommand } from '../sequence/sequence.js';
import { type AddChoice, type CommandChoice, countNew, type DrawContext, pickWeighted } from './draw.js';
import { addMisdirectedChoices } from './misdirected.js';

/** Factor by which a request is more likely for each operation that it has not followed yet. */
const NEW_PAIR = 2;

/** Draws a request of the operation; undefined if none is possible now. Rarely used conditions are preferred. */
export function drawCommand(builder: CommandBuilder, draw: DrawContext): Command | undefined {
  const { operation, of, makes } = builder;
  const { coverage } = draw;
  const resource = of && pickResource(draw, of, builder);
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
  return {
    ...createCommand(operation, resource, resource?.key ?? draw.key, fields),
    ...(makes && { as: draw.createLabel(makes) }),
    condition,
  };
}

function pickResource(
  draw: DrawContext,
  kind: ResourceName,
  { operation, states }: CommandBuilder,
): Resource | undefined {
  const isMeant = (resource: Resource) => isPresent(resource) && (!states || states.includes(resource.state));
  const untried = draw.resources.filter(
    (each) => each.kind === kind && (isMeant(each) || !isPresent(each)) && draw.isInNewState(operation, each),
  );
  if (untried.length > 0 && draw.drawBoolean(0.7)) return draw.pick(untried);
  const gone = draw.drawBoolean(0.2) ? draw.pickGone(kind) : undefined;
  const focused = draw.resources.find(({ label }) => label === draw.focus);
  const again = focused?.kind === kind && isMeant(focused) && draw.drawBoolean(0.6) ? focused : undefined;
  return gone ?? again ?? draw.pickResource(kind, isMeant);
}

function listChoices(builder: CommandBuilder, draw: DrawContext, resource: Resource): CommandChoice[] {
  const { operation, plain, variants = {}, often = [], optional = {} } = builder;
  const names = new Proxy({}, { get: (_, name) => formatReference(resource, String(name)) });
  const base = () =>
    plain ? drawFields(plain, draw, resource) : draw.pickForm(operation, listForms(operation, draw, names));
  const sample = base();
  const mergeFields = (fields: CommandFields | undefined): CommandFields | undefined => {
    const own = fields && base();
    return own && { ...own, ...fields };
  };
  const choices: CommandChoice[] = [];
  const add: AddChoice = (condition, weight, make) => choices.push({ condition, weight, make });
  add('plain', 5, base);
  for (const [condition, fields] of Object.entries(variants))
    add(condition, often.includes(condition) ? 15 : 3, () => drawFields(fields, draw, resource));
  addOptionalChoices(add, operation, optional, draw, resource, base);
  if (operations[operation].auth === 'none') {
    add('with a key', 0.6, () => mergeFields({ key: draw.key }));
    add('with an unknown key', 0.2, () => mergeFields({ key: 'unknown', open: true }));
  } else {
    const cookie = { cookie: 'theme=dark' };
    add('without a key', 0.12, () => mergeFields({ key: null, invalid: 'AUTH-05' }));
    add('unknown key', 0.12, () => mergeFields({ key: 'unknown', invalid: 'AUTH-06' }));
    add('key in a cookie', 0.12, () => mergeFields({ keyIn: 'cookie' }));
    add('key in the second cookie', 0.1, () =>
      addHeaders(base(), cookie, { keyIn: 'cookie', accepted: 'AUTH-03' }),
    );
    add('with a cookie of something else', 0.1, () => addHeaders(base(), cookie, { accepted: 'AUTH-02' }));
  }
  if (sample?.body !== undefined)
    add('another spelling of its media type', 0.2, () =>
      addHeaders(base(), { 'content-type': draw.pick(JSON_MEDIA_TYPES) }, { accepted: 'SERVICE-02' }),
    );
  const listOthers = () => Object.values(variants).map((fields) => () => drawFields(fields, draw, resource));
  const textMakers = hasText(sample) ? [base] : listOthers().filter((make) => hasText(make()));
  if (textMakers.length > 0)
    for (const kind of TEXT_KINDS) add(`${kind} text`, 1, () => replaceTexts(draw.pick(textMakers)(), kind));
  if (builder.of) addMisdirectedChoices(add, builder, draw, resource, base);
  else if (operations[operation].method === 'GET' && draw.hasStranger && draw.key === 'main')
    add('key of another organisation', 1, () => {
      const query = Object.entries(optional).flatMap(([name, value]) => {
        const drawn = draw.drawBoolean(0.5) ? value(draw, resource) : undefined;
        return drawn === undefined ? [] : [[name, drawn] as const];
      });
      return mergeFields({ key: 'other', astray: 'stranger', query: Object.fromEntries(query) });
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
function addOptionalChoices(
  add: AddChoice,
  operation: OperationId,
  optional: NonNullable<CommandBuilder['optional']>,
  draw: DrawContext,
  resource: Resource,
  base: () => CommandFields | undefined,
): void {
  const addQuery = (query: Record<string, Template | undefined>, more: CommandFields = {}) => {
    const own = base();
    if (!own || Object.values(query).includes(undefined)) return undefined;
    const accepted = operation === 'listTasks' && 'l' in query ? 'LIMIT-02' : own.accepted;
    const all = { ...own.query, ...(query as Record<string, Template>) };
    return { ...own, query: all, ...(accepted && { accepted }), ...more };
  };
  const names = Object.keys(optional);
  const addTogether = (together: readonly string[], weight: number) =>
    add(`with ${together.join(' and ')}`, weight, () =>
      addQuery(Object.fromEntries(together.map((name) => [name, optional[name]!(draw, resource)]))),
    );
  for (const name of names) addTogether([name], 3);
  if (names.length > 1) addTogether(names, 4);
  const bound = operation === 'listTasks' ? 'LIMIT-02' : 'ERROR-01';
  const parameters = (operations[operation].params as readonly OperationParameter[]).filter(
    (each) => each.in === 'query',
  );
  for (const { name, type, minimum, maximum } of parameters) {
    const addInvalid = (value: Template, condition: string, invalid: typeof bound = 'ERROR-01') =>
      add(`${name} ${condition}`, 0.2, () => addQuery({ [name]: value }, { invalid }));
    if (minimum !== undefined) addInvalid(minimum - 1, 'too small', bound);
    if (maximum !== undefined) addInvalid(maximum + 1, 'too large', bound);
    if (type === 'integer' || type === 'boolean') addInvalid('x', 'of another type');
    if (type !== 'integer') continue;
    addInvalid('3abc', 'that begins with a number');
    addInvalid('1.5', 'with a fraction');
    const texts = [...INTEGER_TEXTS, ...LARGE_INTEGERS];
    for (const text of texts)
      add(`${name} as ${JSON.stringify(text)}`, 0.6 / texts.length, () =>
        addQuery({ [name]: text }, { open: true }),
      );
  }
  const typed = parameters.filter(({ type }) => type !== 'string');
  if (typed.length > 1)
    add('several parameters of another type', 0.2, () =>
      addQuery(Object.fromEntries(typed.map(({ name }) => [name, 'x'])), { invalid: 'ERROR-01' }),
    );
}
