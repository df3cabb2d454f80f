import { describeConformance } from '../../../conformance/in-tests/describe-conformance.js';
import { target } from './target.js';

describeConformance({
  ...target(),
  only: ['auth/getUsage', 'auth/getOrganisation', 'resources/getUsage-answer'],
});
