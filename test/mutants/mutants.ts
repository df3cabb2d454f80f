import type { Mutant } from './mutant.js';
import { accountMutants } from './table/account.js';
import { authMutants } from './table/auth.js';
import { envelopeMutants } from './table/envelope.js';
import { errorMutants } from './table/errors.js';
import { eventEndpointMutants } from './table/event-endpoint.js';
import { eventMutants } from './table/events.js';
import { derivedMutants } from './table/from-openapi.js';
import { isolationMutants } from './table/isolation.js';
import { limitMutants } from './table/limits.js';
import { outcomeMutants } from './table/outcomes.js';
import { pollingMutants } from './table/polling.js';
import { sessionMutants } from './table/sessions.js';
import { taskMutants } from './table/tasks.js';
import { toolMutants } from './table/tools.js';
import { uploadMutants } from './table/uploads.js';
import { workspaceMutants } from './table/workspaces.js';

/** Every variation that the suite has to notice. */
export const mutants: readonly Mutant[] = Object.freeze([
  ...pollingMutants,
  ...taskMutants,
  ...eventMutants,
  ...toolMutants,
  ...sessionMutants,
  ...outcomeMutants,
  ...eventEndpointMutants,
  ...errorMutants,
  ...limitMutants,
  ...authMutants,
  ...isolationMutants,
  ...envelopeMutants,
  ...accountMutants,
  ...uploadMutants,
  ...workspaceMutants,
  ...derivedMutants,
]);
