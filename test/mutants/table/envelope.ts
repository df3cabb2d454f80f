import type { OperationId } from '../../../spec/generated/operations.js';
import type { Mutant } from '../mutant.js';
import { answers, mutant, requests } from '../operators/make.js';
import { refusal } from '../operators/told.js';

/** An operation of each kind that answers in the envelope. */
const ENVELOPED: readonly OperationId[] = [
  'createTask',
  'getTask',
  'listTasks',
  'getTaskVisibility',
  'sendTaskEvent',
  'getUsage',
  'getOrganisation',
  'getBillingPortal',
  'getAutoTopUp',
  'createProfile',
  'listProfiles',
  'listProxies',
  'uploadFile',
  'listExtensions',
  'listBrowserProfiles',
  'listAutomations',
  'getAttachment',
];

/** The envelope, and where the API lives. */
export const envelopeMutants: readonly Mutant[] = [
  ...ENVELOPED.map((operation) =>
    mutant(
      `bare-${dashed(operation)}`,
      'ENV-01',
      `${operation} answers without the envelope.`,
      answers(operation, (told) => {
        told.body = told.r ?? null;
      }),
    ),
  ),
  mutant(
    'envelope-called-result',
    'ENV-01',
    'The envelope of visibility answers is called result.',
    answers(['getTaskVisibility', 'setTaskVisibility'], (told) => {
      told.body = { result: told.r };
    }),
  ),
  mutant(
    'envelope-in-a-list',
    'ENV-01',
    'The usage stands in an envelope inside a list.',
    answers('getUsage', (told) => {
      told.body = [told.body];
    }),
  ),
  mutant(
    'envelope-empty',
    'ENV-01',
    'The answer of GET /org is an empty object.',
    answers('getOrganisation', (told) => {
      told.body = {};
    }),
  ),
  ...(['listApps', 'listProxies', 'listExtensions', 'listProfiles'] as const).map((operation) =>
    mutant(
      `moved-${dashed(operation)}`,
      'VERSION-01',
      `${operation} is not served below /api/v1.`,
      requests(operation, () => refusal(404, 'Not Found')),
    ),
  ),
];

function dashed(operation: OperationId): string {
  return operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
