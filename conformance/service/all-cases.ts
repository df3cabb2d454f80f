import { loadLibrary } from '../../scenarios/format/library/library.js';
import { resourceCases, taskCases } from './cases/index.js';
import { dialectCases } from './dialect/dialect-cases.js';
import { generatedCases } from './from-openapi/index.js';
import { scenarioCases } from './scenarios/scenario-cases.js';
import type { TestCase } from './test-case/test-case.js';

/** Every case of the suite, in the order in which they run. */
export const allCases: readonly TestCase[] = Object.freeze([
  ...taskCases,
  ...scenarioCases(await loadLibrary()),
  ...resourceCases,
  ...generatedCases,
  ...dialectCases,
]);
