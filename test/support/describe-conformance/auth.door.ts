import { describeConformance } from '../../../conformance/in-tests/describe-conformance.js';
import { createTarget } from './target.js';

describeConformance({
  ...createTarget(),
  only: ['auth/getUsage', 'auth/getOrganisation', 'resources/getUsage-answer'],
});
