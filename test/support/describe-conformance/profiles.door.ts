import { describeConformance } from '../../../conformance/in-tests/describe-conformance.js';
import { createTarget } from './target.js';

describeConformance({ ...createTarget(), title: 'profiles', only: ['auth/listProfiles'] });
