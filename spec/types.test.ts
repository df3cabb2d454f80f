import { expectTypeOf, it } from 'vitest';
import type {
  CompleteTask,
  HeaderParams,
  JsonBody,
  OperationId,
  PathParams,
  QueryParams,
  Schemas,
  SuccessBody,
} from './index.js';

// The type check verifies this, not the run.
it('names what goes in and what comes out of an operation', () => {
  expectTypeOf<'getTask'>().toExtend<OperationId>();
  expectTypeOf<PathParams<'getToolData'>>().toEqualTypeOf<{ tool: string; id: string }>();
  expectTypeOf<QueryParams<'getTask'>>().toEqualTypeOf<{ event_t: number; downloads: boolean }>();
  expectTypeOf<QueryParams<'listTasks'>>().toEqualTypeOf<{ t?: number; l: number }>();
  expectTypeOf<HeaderParams<'updateAttachment'>>().toEqualTypeOf<{
    'workspace-id': string;
    'attachment-id': string;
  }>();
  expectTypeOf<JsonBody<'createTask'>>().toEqualTypeOf<Schemas['TaskRequest']>();
  expectTypeOf<JsonBody<'listTasks'>>().toBeNever();
  expectTypeOf<SuccessBody<'getTask'>>().toEqualTypeOf<{ r: Schemas['TaskResponsePlusInternals'] }>();
  expectTypeOf<SuccessBody<'topUp'>>().toEqualTypeOf<{ r: boolean | string }>();
  expectTypeOf<SuccessBody<'inviteUser'>>().toEqualTypeOf<{ r: { [key: string]: number } }>();
  expectTypeOf<SuccessBody<'deleteTask'>>().toBeUnknown();
  expectTypeOf<SuccessBody<'getWorkspace'>>().toEqualTypeOf<Schemas['WorkspaceResponse']>();
  // A task that lacks a field is no complete one.
  expectTypeOf<{ id: string; status: 'running'; events: [] }>().not.toExtend<CompleteTask>();
  expectTypeOf<CompleteTask>().toExtend<Schemas['TaskResponsePlusInternals']>();
});
