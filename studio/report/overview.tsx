import type { Cause } from '../../conformance/causes/check-result.js';
import type { PageCheck, PagePart, ReportPage } from '../../conformance/report/formats/html/report-page.js';
import { groupBy } from '../../spec/lists.js';
import { SIGNS } from '../../spec/signs.js';
import { toVisible } from '../../spec/visible.js';
import { CopyButton } from '../parts/copy-button.js';
import { formatCount } from '../parts/format.js';
import { isRequirement, Requirement } from '../parts/requirement.js';
import { selectCheck } from '../selection.js';
import { countMarks, listChecks, MARKS } from './filters.js';

/** Parts with more rows are closed at first. */
const FEW = 12;

/** The first view of a report: verdict, causes, areas, other parts. */
export function Overview({ page }: { page: ReportPage }) {
  const { name, verdict, summary, colophon, stopped, causes, explanations, checks, parts, tested, cut } =
    page;
  const failed = causes.reduce((sum, { explains }) => sum + explains, 0);
  return (
    <div class="overview">
      <h1>
        {toVisible(name, 300)} <span class={`verdict ${verdict.mark}`}>{verdict.words}</span>
      </h1>
      <p class="soft">{summary}</p>
      {stopped !== undefined && <p class="warn">The run ended early: {toVisible(stopped, 500)}</p>}
      {causes.length > 0 && (
        <section aria-label="Causes">
          <h2>{describeCauses(causes.length, failed)}</h2>
          <Causes causes={causes} explanations={explanations} checks={checks} />
        </section>
      )}
      <section aria-label="Areas">
        <h2>Areas</h2>
        <Areas checks={checks} />
        {tested.total > 0 && (
          <p class="line">
            <meter min="0" max={tested.total} value={tested.tested} aria-label="Tested requirements" />
            {tested.tested} of {tested.total} requirements tested
          </p>
        )}
      </section>
      {parts.map((part) => (
        <Part key={part.title} part={part} />
      ))}
      <p class="soft">
        {toVisible(colophon, 500)}.
        {cut !== undefined &&
          ` To keep this file small, exchanges of ${cut} checks are left out or shown in part: the JSON report has them.`}
      </p>
    </div>
  );
}

function describeCauses(causes: number, failures: number): string {
  if (causes === 1)
    return `One cause explains ${failures === 1 ? 'the failure' : `all ${failures} failures`}.`;
  if (causes === failures) return `${failures} failures, each with a cause of its own.`;
  return `${causes} causes explain all ${failures} failures.`;
}

/** Results per area; a click lists the checks. */
function Areas({ checks }: { checks: readonly PageCheck[] }) {
  const areas = groupBy(checks, ({ suite }) => suite);
  const marks = MARKS.filter((mark) => checks.some((check) => check.mark === mark));
  return (
    <table class="areas">
      <thead>
        <tr>
          <th scope="col">Area</th>
          {marks.map((mark) => (
            <th key={mark} scope="col" class={mark}>
              {SIGNS[mark]} <span class="wide-only">{mark}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...areas].map(([area, its]) => {
          const counts = countMarks(its);
          return (
            <tr key={area}>
              <th scope="row">
                <button type="button" class="link" onClick={() => listChecks({ area })}>
                  {area}
                </button>
              </th>
              {marks.map((mark) => (
                <td key={mark}>
                  {counts[mark] ? (
                    <button
                      type="button"
                      class={`link ${mark}`}
                      aria-label={`${counts[mark]} ${mark} in ${area}`}
                      onClick={() => listChecks({ area, status: mark })}
                    >
                      {counts[mark]}
                    </button>
                  ) : (
                    <span class="soft">·</span>
                  )}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Part({ part: { title, note, rows } }: { part: PagePart }) {
  return (
    <details class="part" open={rows.length <= FEW}>
      <summary>
        <h2>{title}</h2> {note !== undefined && <span class="soft">{toVisible(note, 200)}</span>}
      </summary>
      <ul>
        {rows.map(({ mark, name, text, more }, index) => (
          <li key={index}>
            {mark && <span class={`sign ${mark}`}>{SIGNS[mark]} </span>}
            {name && <code>{toVisible(name, 500)}</code>} {toVisible(text, 1000)}{' '}
            {more && <span class="soft">{toVisible(more, 500)}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface CausesProps extends Pick<ReportPage, 'explanations'> {
  causes: readonly Cause[];
  checks: readonly PageCheck[];
}

function Causes({ causes, explanations, checks }: CausesProps) {
  const failures = causes.reduce((sum, { explains }) => sum + explains, 0);
  return (
    <ol class="causes">
      {causes.map((cause) => (
        <CauseItem
          key={cause.id}
          cause={cause}
          explanation={explanations[cause.rule]}
          failures={failures > causes.length ? failures : undefined}
          again={checks.find(({ id }) => id === cause.example)?.again}
        />
      ))}
    </ol>
  );
}

interface CauseItemProps {
  cause: Cause;
  /** Of its rule, as text; undefined if it did not fit on the page. */
  explanation: string | undefined;
  /** Failures of all causes; undefined if each cause explains one. */
  failures: number | undefined;
  /** The command that reproduces the example. */
  again: string | undefined;
}

function CauseItem({ cause, explanation, failures, again }: CauseItemProps) {
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
      {explanation !== undefined && (
        <details class="explanation">
          <summary>What {toVisible(cause.rule, 100)} means</summary>
          <pre>{explanation}</pre>
        </details>
      )}
    </li>
  );
}
