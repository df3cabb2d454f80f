/** Checks both sides of the protocol by their exchanges. */

export { fromHar, NotHar } from '../mock/exchange/readers/har-reader.js';
export {
  type Har,
  type HarEntry,
  type HarOptions,
  toHar,
} from '../mock/exchange/readers/har-writer.js';
export type { Finding } from '../spec/vocabulary.js';
export type { CheckResult, Outcome } from './causes/check-result.js';
export { checkClient } from './check-client/check-client.js';
export type { CheckClientOptions } from './check-client/options.js';
export { judgeRun } from './client/judge/verdict.js';
export type { GivenClient, GivenScenarios } from './client/run/client-options.js';
export type { Client, ClientContext, ClientFunction, ClientRun, Job, ResultLine } from './client/types.js';
export {
  type ConformOptions,
  type ConformResult,
  conform,
  listCaseChecks,
  type Plan,
  planRun,
  type SearchServiceOptions,
  searchService,
} from './conform.js';
export { Conversation } from './conversation/conversation.js';
export { type ReadEvent, ReadExchange, type SentEvent } from './conversation/read-exchange.js';
export type { TaskConversation } from './conversation/task-conversation.js';
export { replay } from './explore/reproduce/replay.js';
export { explore } from './explore/search/explore.js';
export type { ExploreEvent, ExploreOptions, ExploreReport, Failure, Replay } from './explore/types.js';
export { type CheckRecordingsOptions, checkRecordings } from './recordings/check-recordings.js';
export {
  type ConvertedRecording,
  convertRecording,
  type WrittenScenario,
} from './recordings/scenario/convert-recording.js';
export { allRules, judge } from './rules/all-rules.js';
export { clientRules, untimedRules } from './rules/client-rules.js';
export { Judge } from './rules/judge.js';
export type {
  Rule,
  RuleContext,
  RuleFinding,
  RuleResult,
  Watcher,
} from './rules/rule.js';
export { serviceRules } from './rules/service-rules.js';
export { mockTarget } from './service/http-client/in-process.js';
export { type ApiRequest, type ApiResponse, NoResponse } from './service/http-client/response.js';
export { type Clock, realClock } from './service/http-client/target.js';
export type { ConformEvent, ConformReport } from './service/runner/result.js';
export type { TaskHandle } from './service/test-case/read-task.js';
export type { Settings, TestCase } from './service/test-case/test-case.js';
export { TestContext } from './service/test-case/test-context.js';
