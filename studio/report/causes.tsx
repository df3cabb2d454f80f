import type { Cause } from '../../conformance/causes/check-result.js';
import type { PageCheck } from '../../conformance/report/formats/html/report-page.js';
import { toVisible } from '../../spec/visible.js';
import { CopyButton } from '../parts/copy-button.js';
import { formatCount } from '../parts/format.js';
import { isRequirement, Requirement } from '../parts/requirement.js';
import { selectCheck } from '../selection.js';
import { listChecks } from './filters.js';

interface CausesProps {
  causes: readonly Cause[];
  checks: readonly PageCheck[];
}

export function Causes({ causes, checks }: CausesProps) {
  const failures = causes.reduce((sum, { explains }) => sum + explains, 0);
  return (
    <ol class="causes">
      {causes.map((cause) => (
        <CauseItem
          key={cause.id}
          cause={cause}
          failures={failures > causes.length ? failures : undefined}
          again={checks.find(({ id }) => id === cause.example)?.again}
        />
      ))}
    </ol>
  );
}

interface CauseItemProps {
  cause: Cause;
  /** Failures of all causes; undefined if each cause explains one. */
  failures: number | undefined;
  /** The command that reproduces the example. */
  again: string | undefined;
}

function CauseItem({ cause, failures, again }: CauseItemProps) {
  const { id, title, requirements, operation, explains, example } = cause;
  const [requirement] = requirements;
  return (
    <li class="cause">
      <p class="cause-head">
        <strong>{toVisible(title, 400)}</strong>
        <code class="soft">{toVisible(id, 100)}</code>
        {requirement !== undefined && requirement !== id && <span class="soft">{requirement}</span>}
        {operation !== null && <code class="soft">{operation}</code>}
      </p>
      {requirement !== undefined && isRequirement(requirement) && (
        <p class="cause-rule soft">
          Required: <Requirement id={requirement} />
        </p>
      )}
      {failures !== undefined && (
        <p class="cause-share soft">
          <meter min="0" max={failures} value={explains} aria-label="Share of the failures" />
          {explains} of {formatCount(failures, 'failure')}
        </p>
      )}
      <p class="cause-actions">
        <button type="button" class="small primary" onClick={() => selectCheck(example)}>
          See an example
        </button>
        {explains > 1 && (
          <button type="button" class="small" onClick={() => listChecks({ cause: id })}>
            List all {explains}
          </button>
        )}
        {again !== undefined && <CopyButton label="Copy command" text={() => again} />}
      </p>
    </li>
  );
}
