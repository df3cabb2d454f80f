import type { ConditionalMutant } from '../mutant.js';
import { conditionalAccessMutants } from './access.js';
import { conditionalAccountMutants } from './account.js';
import { conditionalAutomationMutants } from './automations.js';
import { combinationMutants } from './combinations.js';
import { likelyMutants } from './likely.js';
import { likelyTaskMutants } from './likely-tasks.js';
import { conditionalPollingMutants } from './polling.js';
import { conditionalProfileMutants } from './profiles.js';
import { conditionalSessionMutants } from './sessions.js';
import { conditionalTaskMutants } from './tasks.js';
import { conditionalToolMutants } from './tools.js';
import { unseenMutants } from './unseen.js';
import { unseenAccountMutants } from './unseen-account.js';
import { unseenAgentMutants } from './unseen-agents.js';
import { unseenDimensionMutants } from './unseen-dimensions.js';
import { unseenResourceMutants } from './unseen-resources.js';
import { unseenSessionMutants } from './unseen-sessions.js';
import { unseenTaskMutants } from './unseen-tasks.js';
import { unseenWorkspaceMutants } from './unseen-workspaces.js';
import { conditionalUploadMutants } from './uploads.js';
import { valueAndRefusalMutants } from './values-and-refusals.js';
import { valueAndStateMutants } from './values-and-states.js';
import { conditionalWorkspaceMutants } from './workspaces.js';

/** Variations whose fault shows under one condition alone: what the suite and the search have to notice together. */
export const conditionalMutants: readonly ConditionalMutant[] = Object.freeze([
  ...conditionalTaskMutants,
  ...conditionalPollingMutants,
  ...conditionalSessionMutants,
  ...conditionalToolMutants,
  ...conditionalProfileMutants,
  ...conditionalUploadMutants,
  ...conditionalWorkspaceMutants,
  ...conditionalAutomationMutants,
  ...conditionalAccountMutants,
  ...conditionalAccessMutants,
  ...combinationMutants,
  ...unseenMutants,
  ...unseenTaskMutants,
  ...unseenDimensionMutants,
  ...unseenSessionMutants,
  ...unseenWorkspaceMutants,
  ...likelyMutants,
  ...likelyTaskMutants,
  ...valueAndStateMutants,
  ...valueAndRefusalMutants,
  ...unseenResourceMutants,
  ...unseenAccountMutants,
  ...unseenAgentMutants,
]);
