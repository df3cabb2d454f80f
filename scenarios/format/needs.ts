import type { Scenario, Step } from './types.js';

/** What not every client or service has, beside single operations, request fields and asks. */
export const CAPABILITIES = [
  'sessions',
  'cancel',
  'close',
  'tools',
  'files',
  'profiles',
  'structured-output',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Section "Task creation request". */
const LISTED_FIELDS = new Set([
  'task',
  'url',
  'device',
  'custom_tools',
  'profile_id',
  'response_model',
  'files',
]);
/** The part that a field of the request is there for. */
const CAPABILITY_OF_FIELD: Readonly<Record<string, Capability>> = {
  custom_tools: 'tools',
  files: 'files',
  profile_id: 'profiles',
  response_model: 'structured-output',
};

/** Fields that a client may leave out: libraries have different ones of those that the description of the API does not list. */
export function listOptionalFields({ request, optional_fields }: Scenario): string[] {
  return optional_fields ?? Object.keys(request).filter((name) => !LISTED_FIELDS.has(name));
}

/** What a client has to have for a scenario: parts, fields of the request, and asks. */
export function listNeeds(scenario: Scenario): string[] {
  const { request, timeline, asks = [] } = scenario;
  const optional = listOptionalFields(scenario);
  const fields = Object.keys(request).filter((name) => !optional.includes(name) && !isEmpty(request[name]));
  const isSession = typeof request.task !== 'string' || timeline.some(isSessionStep);
  return [
    ...new Set<string>([
      ...(isSession ? ['sessions'] : []),
      ...(timeline.some((step) => 'client' in step && step.client === 'cancel') ? ['cancel'] : []),
      ...(timeline.some(isCloseStep) ? ['close'] : []),
      ...(timeline.some(isCallStep) ? ['tools'] : []),
      ...fields.flatMap((name) => CAPABILITY_OF_FIELD[name] ?? []),
      // Every client has a text; a page is what a session begins with.
      ...fields.filter(
        (name) => name !== 'task' && name !== 'custom_tools' && !(isSession && name === 'url'),
      ),
      ...asks,
    ]),
  ];
}

/** The first of what a scenario needs that is lacking; undefined where nothing is. */
export function findLacking(scenario: Scenario, lacks: readonly string[]): string | undefined {
  return lacks.length === 0 ? undefined : listNeeds(scenario).find((each) => lacks.includes(each));
}

/** A list of nothing asks for nothing, and null stands for what is left out. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isSessionStep(step: Step): boolean {
  return ('client' in step && step.client === 'action') || isCloseStep(step);
}

function isCloseStep(step: Step): boolean {
  return 'client' in step && (step.client === 'close' || (step.client === 'action' && step.name === 'close'));
}

function isCallStep(step: Step): boolean {
  if (!('service' in step)) return false;
  return step.service === 'tool_call' || (step.service === 'event' && step.name === 'tool_call');
}
