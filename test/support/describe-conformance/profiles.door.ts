import { describeConformance } from '../../../conformance/in-tests/describe-conformance.js';
import { target } from './target.js';

describeConformance({ ...target(), title: 'profiles', only: ['auth/listProfiles'] });
