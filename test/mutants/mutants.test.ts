import { mutants } from './mutants.js';
import { holdMutants } from './support/hold.js';

const familyOf = ({ requirement }: { requirement: string }) => requirement.split('-')[0];

// The deep suite holds the suite against all of them.
const oneOfEachFamily = mutants.filter(
  (mutant, n) => mutants.findIndex((other) => familyOf(other) === familyOf(mutant)) === n,
);

holdMutants('each family of requirements', oneOfEachFamily);
